//go:build linux

package hostile

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// A want is the required result of a fault.
type want uint8

const (
	acts  want = iota // the hook's answer reaches the host nevertheless
	fails             // reported on stderr; the call proceeds, or is denied if the hook blocks on failure
	quiet             // no opinion, as with a hook without an answer
	late              // acts if the hooks' agent reads output after the hook's end, else quiet
	sound             // dialects differ; the rules for every call apply
)

// A fault is a way for a hook to fail. Its script has two functions: verdict answers with JSON, refuse with exit status
// 2 and stderr.
type fault struct {
	name    string
	script  string
	command string // instead of the script; $SCRIPT is its file
	mode    os.FileMode
	want    want
	hangs   bool // ended by its time limit
	gate    bool // only before a tool, where status 2 is a decision in every dialect
	stays   bool // leaves a process on purpose, as it would under its own agent
	bridge  bool // hookbridge itself is ended
	heavy   bool // in the short form in two pairs only
}

var faults = []fault{
	{name: "none", script: "verdict", want: acts},
	{name: "not found", command: "no-such-program-anywhere", want: fails},
	{name: "folder that is not there", command: "/no/such/folder/hook", want: fails},
	{name: "not executable", command: "$SCRIPT", mode: 0o644, script: "verdict", want: fails},
	{name: "is a folder", command: "/tmp", want: fails},
	{name: "wrong interpreter", command: "$SCRIPT", mode: 0o755, script: "#!/no/such/interpreter\nverdict",
		want: fails},
	{name: "not a program", command: "$SCRIPT", mode: 0o755, script: "#!\x7fELF\x01\x02garbage", want: fails},
	{name: "syntax error", script: "if then fi (", want: sound}, // sh ends with 2
	{name: "exit status 1", script: "exit 1", want: fails},
	{name: "exit status 255", script: "exit 255", want: fails},
	{name: "killed", script: "kill -9 $$", want: fails},
	{name: "segmentation fault", script: "kill -SEGV $$", want: fails},
	{name: "SIGTERM", script: "kill -TERM $$", want: fails},
	{name: "stopped", script: "kill -STOP $$; verdict", want: fails, hangs: true},
	{name: "hangs", script: "sleep 60; verdict", want: fails, hangs: true},
	{name: "hangs with children", script: "sleep 60 & sleep 60 | sleep 60; verdict", want: fails, hangs: true},
	{name: "hangs after half an answer", script: "printf '{\"a\":'; sleep 60", want: fails, hangs: true},
	{name: "ignores SIGTERM", script: "trap '' TERM INT HUP; while :; do sleep 60; done", want: fails, hangs: true},
	{name: "a hundred children", script: "i=0; while [ $i -lt 100 ]; do sleep 60 & i=$((i+1)); done; wait", want: fails,
		hangs: true, heavy: true},
	{name: "daemon, then hangs", script: "setsid sleep 1 >/dev/null 2>&1 & sleep 60", want: fails, hangs: true,
		stays: true},
	{name: "double fork", script: "(sleep 1 &) ; verdict", want: acts, stays: true},
	{name: "daemon that keeps the pipes", script: "setsid sh -c 'sleep 1' & verdict", want: acts, stays: true},
	{name: "floods stdout", script: "head -c 20000000 /dev/zero | tr '\\0' x; refuse", want: acts, gate: true,
		heavy: true},
	{name: "floods stderr", script: "head -c 20000000 /dev/zero | tr '\\0' x >&2; verdict", want: acts, heavy: true},
	{name: "closes stdin", script: "exec <&-; verdict", want: acts},
	{name: "closes stdout", script: "exec >&-; refuse", want: acts, gate: true},
	{name: "closes stderr", script: "exec 2>&-; verdict", want: acts},
	{name: "closes all early", script: "exec <&- >&- 2>&-; sleep 0.05; exit 1", want: fails},
	{name: "reads half", script: "head -c 3 >/dev/null; verdict", want: acts},
	{name: "changes folder and environment", script: "cd /; unset HOME TMPDIR; PATH=; export PATH; verdict",
		want: acts},
	{name: "deletes the project", script: "rm -rf \"$PROJECT\"; verdict", want: acts},
	{name: "deletes the session files", script: "rm -rf \"$HOOKBRIDGE_STATE_DIR\"; verdict", want: acts},
	{name: "deletes its own configuration", script: "rm -f \"$CONFIG\" \"$0\"; verdict", want: acts},
	{name: "prints two objects", script: "verdict; verdict", want: sound},
	{name: "prints after exit", script: "(sleep 1.5; verdict) & exit 0", want: late, stays: true},
	{name: "prints nothing", script: ":", want: quiet},
	{name: "prints half an object", script: "printf '{\"decision\":\"blo'", want: sound},
	{name: "prints binary", script: "head -c 4000 /dev/urandom", want: sound},
	{name: "prints a deep answer", script: "i=0; while [ $i -lt 3000 ]; do printf '{\"a\":'; i=$((i+1)); done",
		want: sound},
	{name: "bytes that are not UTF-8", script: "printf '\\377\\376' >&2; verdict", want: acts},
	{name: "NUL in the answer", script: "printf '\\000'; verdict", want: sound},
	{name: "ends hookbridge", script: "sleep 0.4; kill -TERM $PPID; sleep 60", want: fails, hangs: true, bridge: true},
}

// verdicts are answers with an effect that the host shows, with MARK in it.
var verdicts = map[string]map[schema.Event]string{
	"claude": like,
	"qoder":  like,
	"cursor": {
		schema.PreTool:      `{"permission":"deny","user_message":"MARK","agent_message":"MARK"}`,
		schema.PostTool:     `{"additional_context":"MARK"}`,
		schema.PromptSubmit: `{"continue":false,"user_message":"MARK"}`,
		schema.Stop:         `{"followup_message":"MARK"}`,
		schema.SubagentStop: `{"followup_message":"MARK"}`,
		schema.SessionStart: `{"additional_context":"MARK"}`,
	},
}

var like = map[schema.Event]string{
	schema.PreTool: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
		`"permissionDecisionReason":"MARK"}}`,
	schema.PostTool:     `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"MARK"}}`,
	schema.PromptSubmit: `{"decision":"block","reason":"MARK"}`,
	schema.Stop:         `{"decision":"block","reason":"MARK"}`,
	schema.SubagentStop: `{"decision":"block","reason":"MARK"}`,
	schema.SessionStart: `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"MARK"}}`,
}

// A cell is one cell of the matrix.
type cell struct {
	host, hooks adapter.Dialect
	row         *schema.EventRow // of the host
	closed      bool             // the hook blocks on failure
}

func (c *cell) String() string {
	s := fmt.Sprintf("%s under %s %s", c.hooks.Profile().Name, c.host.Profile().Name, c.row.Native)
	if c.closed {
		s += ", fails closed"
	}
	return s
}

// cells lists every ordered pair with every event of the host at which a hook's verdict is visible. If the hooks'
// dialect has a fail policy, it lists that too.
func cells() (all []cell) {
	for _, host := range adapter.Dialects() {
		for _, hooks := range adapter.WithHooks() {
			if host.Profile().Name == hooks.Profile().Name {
				continue
			}
			rows := host.Profile().Events
			for i := range rows {
				row := &rows[i]
				if verdicts[hooks.Profile().Name][row.Event] == "" || row.Inline() || rowFor(hooks, row.Event) == nil {
					continue
				}
				all = append(all, cell{host, hooks, row, false})
				if row.Event == schema.PreTool && hooks.Profile().Name != "qoder" {
					all = append(all, cell{host, hooks, row, true})
				}
			}
		}
	}
	return all
}

// sound is outcome.sound with an exception. An agent that takes any object as context gets an empty line if there is
// none to add, or only the text if it takes all text as context.
func (c *cell) sound(o outcome) error {
	call := &schema.Call{Dialect: c.host.Profile().Name, Native: c.row.Native, Event: c.row.Event}
	silent := len(c.host.AppendReply(nil, call, &schema.Reply{})) == 0
	text := string(c.host.AppendReply(nil, call, &schema.Reply{Context: "M4RK"})) == "M4RK"
	if silent && o.exit == 0 && (o.stdout == "\n" || text && strings.HasSuffix(o.stdout, "\n")) {
		return nil
	}
	return o.sound()
}

// try runs one fault in one cell. It returns the rule that doesn't hold, or which of the two allowed outcomes it was.
func (c *cell) try(t *testing.T, f *fault) (failed bool, err error) {
	p := newPlace(t)
	defer p.end()
	stdin := p.payload(t, c.host, c.row, "s1", "ls "+strings.Repeat("x", 100_000))
	if stdin == nil {
		return false, errNoPayload
	}
	json := strings.ReplaceAll(verdicts[c.hooks.Profile().Name][c.row.Event], "MARK", "M4RK")
	script := "PROJECT='" + p.in("project") + "' CONFIG='" + p.in("hooks-"+c.hooks.Profile().Name+".json") + "'\n" +
		"verdict() { printf '%s\\n' '" + json + "'; }\nrefuse() { echo M4RK >&2; exit 2; }\n" + f.script + "\n"
	if strings.HasPrefix(f.script, "#!") {
		script = f.script
	}
	mode := f.mode
	if mode == 0 {
		mode = 0o700
	}
	file := p.put(t, "script", script, mode)
	h := schema.Hook{Command: "exec /bin/sh '" + file + "'", Timeout: 30 * time.Second}
	if f.command != "" {
		h.Command = strings.ReplaceAll(f.command, "$SCRIPT", file)
	}
	if f.hangs {
		h.Timeout = 150 * time.Millisecond
	}
	if f.bridge {
		h.Timeout = 30 * time.Second
	}
	if c.closed {
		h.Fail = schema.FailClosed
	}
	args := []string{"run", "--host", c.host.Profile().Name, "--hooks", c.hooks.Profile().Name, "--config",
		p.config(t, c.hooks, c.row.Event, h)}
	o := p.run(t, stdin, args...)
	if err := c.sound(o); err != nil {
		return false, fmt.Errorf("%w: %v", err, o)
	}
	if !f.stays {
		if err := p.clean(); err != nil {
			return false, err
		}
	}
	marked := strings.Contains(o.stdout, "M4RK") || strings.Contains(o.stderr, string(schema.CodeRelayed))
	honors := c.host.Honors(&schema.Call{Dialect: c.host.Profile().Name, Native: c.row.Native, Event: c.row.Event},
		&schema.Reply{})
	if honors&schema.EffectKeepGoing == 0 && strings.Contains(o.stderr, string(schema.CodeKeepGoLost)) {
		marked = true // the host can't be kept working there
	}
	if c.row.Honors&schema.EffectDeny == 0 && strings.Contains(o.stderr, string(schema.CodeDenyLost)) {
		marked = true // nothing can be denied there
	}
	silent := c.row.Decides()|c.row.Honors&schema.EffectContext == 0
	if silent && strings.Contains(o.stderr, string(schema.CodeContextLost)) {
		marked = true // nothing can be reported there
	}
	if f.gate { // the reason may be other output
		marked = denies(c.host, c.row, o.stdout)
	}
	expect := f.want
	if expect == late {
		if expect = quiet; c.hooks.Profile().OutputGrace < 0 {
			expect = acts
		}
	}
	if expect == acts && denies(c.host, c.row, o.stdout) &&
		strings.Contains(o.stderr, string(schema.CodeEffectLost)) {
		marked = true // a denial there ends more than the call, and its reason isn't shown
	}
	switch said := o.refused || strings.Contains(o.stderr, "HB"); {
	case f.bridge:
		if o.exit != 1 {
			return false, fmt.Errorf("ended from outside and not said so: %v", o)
		}
		return true, nil
	case o.exit != 0:
		return false, fmt.Errorf("the hook's fault became hookbridge's: %v", o)
	case expect == acts && !marked:
		return false, fmt.Errorf("the verdict is lost: %v", o)
	case expect == fails && (marked || !said):
		return false, fmt.Errorf("want a failure that is said: %v", o)
	case expect == fails && c.closed && !denies(c.host, c.row, o.stdout):
		return false, fmt.Errorf("fails closed, and does not refuse: %v", o)
	case expect == quiet && marked:
		return false, fmt.Errorf("want no opinion: %v", o)
	}
	return expect == fails, nil
}

var errNoPayload = fmt.Errorf("no payload")

// short reports whether the short form has the fault in this cell: every fault at the event before a tool in every
// pair, those that fail with both fail policies, two faults everywhere.
func (c *cell) short(f *fault) bool {
	switch {
	case f.heavy:
		return c.row.Event == schema.PreTool && c.row.Gate == nil && !c.closed && c.hooks.Profile().Name != "qoder" &&
			c.host.Profile().Name != "qoder"
	case f.name == "none" || f.name == "exit status 1":
		return true
	}
	return c.row.Event == schema.PreTool && c.row.Gate == nil && (!c.closed || f.want == fails)
}

// A count has the results of a row of the matrix.
type count struct{ tried, right, failed, wrong int }

func (n *count) add(failed bool, err error) {
	n.tried++
	switch {
	case err != nil:
		n.wrong++
	case failed:
		n.failed++
	default:
		n.right++
	}
}

func (n *count) String() string {
	return fmt.Sprintf("%d | %d | %d | %d |", n.tried, n.right, n.failed, n.wrong)
}

// TestHookFaults runs the matrix of faults, events and ordered pairs, and prints
// its counts with -v, by fault and by pair and event.
func TestHookFaults(t *testing.T) {
	byFault := make([]count, len(faults))
	all := cells()
	byCell := make([]count, len(all))
	var sum count
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i := range faults {
		f := &faults[i]
		var tried []int
		for j := range all {
			if c := &all[j]; (!f.gate || c.row.Event == schema.PreTool) && (long() || c.short(f)) {
				tried = append(tried, j)
			}
		}
		if testing.Short() { // each fault in two cells, and each in others
			tried = []int{tried[i%len(tried)], tried[(i+len(tried)/2)%len(tried)]}
		}
		for _, j := range tried {
			c := &all[j]
			slots <- struct{}{}
			wg.Go(func() {
				defer func() { <-slots }()
				failed, err := c.try(t, f)
				if err == errNoPayload {
					return
				}
				if err != nil {
					t.Errorf("%s, %s: %v", f.name, c, err)
				}
				mu.Lock()
				defer mu.Unlock()
				for _, n := range []*count{&byFault[i], &byCell[j], &sum} {
					n.add(failed, err)
				}
			})
		}
	}
	wg.Wait()
	for i := range byFault {
		t.Logf("| %s | %s", faults[i].name, &byFault[i])
	}
	for j := range byCell {
		if byCell[j].tried > 0 {
			t.Logf("| %s | %s", &all[j], &byCell[j])
		}
	}
	t.Logf("| all | %s", &sum)
	if sum.tried < 2*len(faults)-2 {
		t.Errorf("only %d cases", sum.tried)
	}
}
