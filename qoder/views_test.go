package qoder

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

func TestViews(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    Dialect
		call *schema.Call
		want []string // tool or target
	}{
		{"a write that may be an edit", New(),
			foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.Write, schema.Edit, schema.MultiEdit,
				schema.Notebook}}), []string{"Write", "Edit"}},
		{"a notebook", New(), foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.Write, schema.Notebook},
			Input: schema.Args{arg(schema.RolePath, `"/a.ipynb"`)}}), []string{"NotebookEdit", "Write"}},
		{"an unknown server", New(), foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.MCP}, Name: "x",
			Servers: []string{"a", "b"}}), []string{"mcp__a__x", "mcp__b__x"}},
		{"an agent", New(), foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.Agent}, Name: "Task"}),
			[]string{"Agent"}},
		{"another tool", New(), foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.Other}, Name: "Zap"}),
			[]string{"Zap"}},
		{"the IDE", at("ide"), foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.Shell}, Name: "Shell"}),
			[]string{"run_in_terminal"}},
		{"an event of the CLI only", at("ide"), foreign(schema.Setup, schema.Tool{}), nil},
		{"no such event", New(), foreign(schema.AgentThought, schema.Tool{}), nil},
	} {
		var got []string
		for _, v := range tt.d.Views(tt.call) {
			got = append(got, v.Tool)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	own := decode(t, `{"hook_event_name":"PreToolUse","tool_name":"search_replace","tool_input":{}}`)
	if v := New().Views(own); len(v) != 1 || v[0].Tool != "search_replace" ||
		!slices.Equal(v[0].Target, []string{"search_replace", "Edit"}) {
		t.Errorf("%+v", v)
	}
	for _, tt := range []struct {
		call *schema.Call
		want []string
	}{
		{foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.Agent}, Name: "Task"}),
			[]string{"task", "Task", "Agent"}},
		{foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.Edit}, Name: "Edit"}),
			[]string{"search_replace", "Edit", "edit_file"}},
		{foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.Shell}, Name: "Shell"}),
			[]string{"run_in_terminal", "Bash"}},
		{&schema.Call{Dialect: "qoder", Version: "ide", Event: schema.PreTool,
			Tool: schema.Tool{Kinds: []schema.Kind{schema.Agent}, Name: "Agent"}},
			[]string{"Agent", "task", "Task"}},
		{&schema.Call{Dialect: "qoder", Version: "1.1.52", Event: schema.PreTool,
			Tool: schema.Tool{Kinds: []schema.Kind{schema.Agent}, Name: "Agent"}},
			[]string{"task", "Task", "Agent"}},
	} {
		if v := at("ide").Views(tt.call); len(v) != 1 || !slices.Equal(v[0].Target, tt.want) {
			t.Errorf("%s in the IDE: %+v, want %q", tt.call.Tool.Name, v, tt.want)
		}
	}
	changed := decode(t, `{"hook_event_name":"FileChanged","file_path":"/p/app.env","event":"add"}`)
	if v := New().Views(changed); v[0].Target[0] != "app.env" {
		t.Errorf("%+v", v)
	}
}

// at returns the dialect at a version or program.
func at(version string) Dialect {
	d, _ := New().At(version)
	return d.(Dialect)
}

func TestGrammar(t *testing.T) {
	for native, want := range map[string]schema.Grammar{"PreToolUse": matchers,
		"FileChanged": matchers, "Elicitation": matchers,
		"SessionStart": values, "SubagentStop": values,
		"StopFailure": values} {
		if got := New().Profile().GrammarOf(native); got != want {
			t.Errorf("%s: %v, want %v", native, got, want)
		}
	}
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{{"ash", "Bash", true}, {"Edit", "NotebookEdit", true}, {"bash", "Bash", false}, {"Bash, Edit", "Bash", false},
		{"Read|Bash|", "Zap", true}, {"(?i)bash", "Bash", false}} {
		m, _ := matcher.Compile(New().Profile().GrammarOf("PreToolUse"), tt.pattern)
		if got := m.Match(tt.name); got != tt.want {
			t.Errorf("%q matches %s: %v", tt.pattern, tt.name, got)
		}
	}
}

// TestHolds has cases that were run in the client (1.1.52), with the command "X=1 touch a && echo hi".
func TestHolds(t *testing.T) {
	bash := decode(t, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"X=1 touch a && `+
		`echo hi"}}`)
	edit := decode(t, `{"hook_event_name":"PreToolUse","tool_name":"NotebookEdit",`+
		`"tool_input":{"notebook_path":"n.ipynb","file_path":"src/a.go"}}`)
	stop := decode(t, `{"hook_event_name":"Stop"}`)
	start := decode(t, `{"hook_event_name":"SessionStart","source":"startup"}`)
	file := decode(t, `{"hook_event_name":"FileChanged","file_path":"/p/a.txt"}`)
	for _, tt := range []struct {
		call *schema.Call
		cond string
		want bool
	}{
		{bash, "", true}, {bash, "Ba", true}, {bash, "^B.sh$(touch *)", true}, {bash, "^Bas$", false},
		{bash, "Bash(touch:*)", true}, {bash, "Bash(touch ?)", true},
		{bash, "Bash(echo hi)", true}, {bash, "Edit|Bash", true}, {bash, "*", false}, {bash, "Bash(touch a", true},
		{bash, "Bash(touch *)", true}, {bash, "Bash(rm *)", false},
		{edit, "Edit(src/*)", true}, {edit, "Edit(lib/*)", false}, {edit, "Bash", false},
		{stop, "Bash", true}, {start, "startup", false}, {file, "a.txt(whatever)", true}, {file, "b.txt", false},
	} {
		v := New().Views(tt.call)[0]
		got, _ := New().Holds(&schema.Hook{Condition: tt.cond}, tt.call, v, "/h")
		if got != tt.want {
			t.Errorf("%q on %s: %v", tt.cond, tt.call.Native, got)
		}
	}
}

// TestHoldsPlainWords has cases in which 1.1.52 was seen to compare a command without its quoted, expanded and numeric
// arguments.
func TestHoldsPlainWords(t *testing.T) {
	for _, tt := range []struct {
		command, cond string
		want          bool
	}{
		{`true push \"origin\"`, "Bash(true push)", true}, {"sleep 0", "Bash(sleep)", true},
		{"head -5 file; true", "Bash(head file)", true},
		{`true -rf 'x y' build $HOME \"$X\" a$X 7 -5`, "Bash(true -rf build)", true},
		{"export A=1", "Bash(export)", true},
		{"[ -f x ] || true", "Bash([)", true}, {"X=1", "Bash(X=*)", true}, {"true   a  b   c", "Bash(true a b*)", true},
		{"true push origin", "Bash(true push)", false}, {"sleep now", "Bash(sleep)", false},
		{"echo hi", "Bash(X=*)", false},
		{`true -rf 'x y' build $HOME`, "Bash(true push)", false},
		{"for i in a b; do echo $i; done", "Bash(zap all)", false},
		{"echo $(zap all)", "Bash(zap all)", true}, {"cat <(zap all)", "Bash(zap all)", true},
		{"$X all", "Bash(zap all)", false}, {"${X:-$(zap all)}", "Bash(zap all)", true},
		{"case x in x) zap all;; esac", "Bash(zap all)", true}, {"case x in x) zap;; esac", "Bash(zap all)", false},
		{"! ! zap all", "Bash(* zap all)", true},
		// the first is undecided
		{"(zap; all) 2>&1", "Bash(zap*all)", true}, {"(zap; all) > a", "Bash(zap*all)", false},
	} {
		c := decode(t, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"`+tt.command+`"}}`)
		if got, err := New().Holds(&schema.Hook{Condition: tt.cond}, c, New().Views(c)[0], "/h"); err != nil ||
			got != tt.want {
			t.Errorf("%q on %s: %v %v", tt.cond, tt.command, got, err)
		}
	}
}

func TestServerIn(t *testing.T) {
	for in, want := range map[string]string{"mcp__github__.*": "github", "^mcp__a_b__x$": "a_b", "mcp__.*__x": "",
		"Bash": "", "mcp__x": ""} {
		if got := New().Profile().ServerIn(in); got != want {
			t.Errorf("ServerIn(%q) = %q", in, got)
		}
	}
}

func TestSurfaces(t *testing.T) {
	for version, want := range map[string]int{"": 27, "cli": 27, "1.1.52": 27, "ide": 12, "ide-2026-07": 5,
		"qoderwork": 12, "sdk": 27} {
		rows := at(version).Profile().Events
		if len(rows) != want {
			t.Errorf("%q has %v events, want %v", version, len(rows), want)
		}
		for _, r := range rows {
			if r.Blocks != 0 && r.Honors&r.Blocks == 0 || r.Text != 0 && r.Honors&r.Text == 0 {
				t.Errorf("%q: %s blocks or prints without effect", version, r.Native)
			}
		}
	}
	for _, k := range known {
		if profile.Row(k.Native) == nil {
			t.Errorf("no event %s", k.Native)
		}
	}
	for _, p := range hookSpecific {
		for _, native := range p.On {
			if profile.Row(native) == nil {
				t.Errorf("no event %s", native)
			}
		}
	}
}
