package omp

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

func decode(tool, input string) *schema.Call {
	c, _ := New().DecodeCall([]byte(`{"protocol":1,"session_id":"s","cwd":"/p","hook_event_name":"PreToolUse",`+
		`"omp_mode":"json","tool_name":"`+tool+`","tool_input":`+input+`,"tool_use_id":"c"}`), nil)
	return c
}

// TestSplit checks which files calls of read, write and edit name, in every form.
func TestSplit(t *testing.T) {
	const two = `*** Begin Patch\n[a.txt#B686]\nPUT 1.=1:\n+new\n+[b#0000]\n[\"d/b.txt\"#00ff]\nREM\n` +
		`[c.txt#0001]\nMV e.txt\n*** End Patch`
	for name, c := range map[string]struct{ tool, input, want string }{
		"an edit of three files": {"edit", `{"input":"` + two + `","paths":["a.txt","d/b.txt","c.txt"]}`,
			"edit /p/a.txt, delete /p/d/b.txt, edit /p/c.txt, write /p/e.txt"},
		"an edit in the old form":      {"edit", `{"input":" ¶¶a.txt#B686\nCUT 1"}`, "edit /p/a.txt"},
		"an edit of no file":           {"edit", `{"input":"PUT 1:"}`, "malformed"},
		"an edit by its text":          {"edit", `{"path":"a","old_string":"b","new_string":"c"}`, "edit a"},
		"lines of a file":              {"read", `{"path":".env:1-5,8:raw"}`, "read .env"},
		"the end of a file":            {"read", `{"path":".env:-60"}`, "read .env"},
		"a file with a colon":          {"read", `{"path":"a:b"}`, "read a:b"},
		"an address":                   {"read", `{"path":"https://x.y:80"}`, "read https://x.y:80"},
		"a new file by the first line": {"write", `{"path":"[.env#B686]","content":""}`, "write .env"},
		"a new file in brackets":       {"write", `{"path":"[.env]","content":""}`, "write .env"},
		"a new file with a colon":      {"write", `{"path":"a:1","content":""}`, "write a:1"},
		"a new file with another mark": {"write", `{"path":"[a#zz]","content":""}`, "write [a#zz]"},
		"a search in two places":       {"grep", `{"pattern":"x","path":"src; .env:1-9"}`, "grep src, grep .env"},
		"a tool of a server":           {"mcp__hb_x", `{"path":"a:1"}`, "mcp "},
		"the file of a conflict":       {"write", `{"path":"conflict://3","content":"@ours"}`, "malformed"},
		"a program": {"hub", `{"op":"start","application":"rm","args":["-f","a b"]}`,
			"shell rm -f 'a b'"},
		"a program without arguments": {"hub", `{"op":"start","application":"a b"}`, "shell 'a b'"},
		"typed into a program":        {"hub", `{"op":"send","name":"sh","text":"rm a"}`, "shell rm a"},
		"a message to an agent":       {"hub", `{"op":"send","to":"Main","text":"rm a"}`, "other "},
		"another operation":           {"hub", `{"op":"logs","name":"sh"}`, "other "},
		"written into a program": {"write", `{"path":"proc://sh","content":"rm a\n"}`,
			"write proc://sh, shell rm a\n"},
		"a program ended by a write": {"write", `{"path":"proc://sh/kill"}`, "write proc://sh/kill"},
		"sub-agents": {"task", `{"context":"c","tasks":[{"task":"a"},{"task":"b"}]}`,
			"agent a, agent b"},
		"a file read with its own name": {"read", `{"path":"[id].ts"}`, "read [id].ts"},
	} {
		t.Run(name, func(t *testing.T) {
			call := decode(c.tool, c.input)
			parts := []*schema.Call{call}
			if split := New().Split(call); split != nil {
				parts = split[0]
			}
			var got []string
			for _, p := range parts {
				kind := p.Tool.Kinds[len(p.Tool.Kinds)-1]
				subject := schema.RolePath
				switch kind {
				case schema.Shell:
					subject = schema.RoleCommand
				case schema.Agent:
					subject = schema.RolePrompt
				}
				got = append(got, kind.String()+" "+p.Tool.Input.Text(subject))
			}
			if call.Malformed {
				got = []string{"malformed"}
			}
			if joined := strings.Join(got, ", "); joined != c.want {
				t.Errorf("got %s, want %s", joined, c.want)
			}
		})
	}
}

// TestJoin checks that a rewritten call keeps the model's path, and that an edit can't be rewritten.
func TestJoin(t *testing.T) {
	c := decode("read", `{"path":".env:1-5"}`)
	part := New().Split(c)[0][0]
	if in, ok := New().Join(c, part, part.Tool.Input); !ok || in.Text(schema.RolePath) != ".env:1-5" {
		t.Errorf("got %q, %v", in.Text(schema.RolePath), ok)
	}
	c = decode("edit", `{"input":"[a#0000]\nREM"}`)
	if _, ok := New().Join(c, New().Split(c)[0][0], nil); ok {
		t.Error("an edit was rewritten")
	}
}
