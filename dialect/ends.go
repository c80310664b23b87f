package dialect

import (
	"bytes"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// An End is how an agent treats one way in which a hook ends.
type End struct {
	Fails bool   // it is a failure, whatever the hook printed
	So    string // the consequence, for the report
}

// Ends are the rows of an agent, by process.Outcome. A hook that wasn't started, or that timed out, has failed under
// every agent.
type Ends [process.NumOutcomes]End

// Report returns how a hook of the agent p ended, and adds a finding if that alone is a failure.
func (e *Ends) Report(p *Profile, h *schema.Hook, res *process.Result, ds *schema.Diagnostics) process.Outcome {
	o := res.Outcome(p.RefusalStatus)
	switch row := e[o]; {
	case o == process.NotStarted:
		ds.Add(schema.CodeNotStarted, h.Path, res.Err.Error()+row.So)
	case o == process.Late:
		ds.Add(schema.CodeTimedOut, h.Path, "the hook exceeded its timeout and was killed"+row.So)
	case row.Fails:
		ds.Add(schema.CodeHookFailed, h.Path, "the hook failed: "+schema.FailureText(res.Exit, res.Signal, res.Stderr)+
			row.So)
	}
	return o
}

// GoesOn reports whether the first line of a hook's output announces that it continues in the background. Its other
// output and its exit code then don't count (observed Claude Code 2.1.328, exit code 2 included). It is called after
// every read.
func GoesOn(stdout []byte) bool {
	const longest = 64 << 10
	line, _, _ := bytes.Cut(stdout[:min(len(stdout), longest+1)], []byte("\n"))
	if len(line) > longest || !bytes.Contains(line, []byte(`"async"`)) {
		return false
	}
	o, _, _ := ordjson.ParseLast(bytes.TrimSpace(line))
	on, _ := o.Bool("async")
	return on
}
