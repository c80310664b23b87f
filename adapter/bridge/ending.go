package bridge

import (
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// An Ending is the program's output and exit code for its host.
type Ending struct {
	Stdout []byte
	Exit   int
	// Reason is the only text on stderr if the host reads stderr as the reason; nil: findings go there.
	Reason []byte
}

// failed is the exit code of a failure of hookbridge.
const failed = 1

// End returns what the host gets for the results of Run: the answer, and an exit code if the host needs one for a
// denial.
func (b *Bridge) End(answer []byte, report *Report, err error) Ending {
	status := 0
	if b.Host != nil && b.Host.Profile().StatusHolds {
		status = b.Host.Profile().RefusalStatus
	}
	switch {
	case err != nil && status == 0:
		return Ending{Exit: failed}
	case err != nil: // any other exit code would lift the denials of other hooks
		return Ending{Stdout: []byte("{}\n")}
	}

	out := Ending{Stdout: append(answer, '\n')}
	if status == 0 {
		return out
	}
	if reason, refused := b.refusal(answer, report.Call); refused {
		out.Exit, out.Reason = status, []byte(reason+"\n")
	}
	return out
}

// refusal reads an answer as the host does.
func (b *Bridge) refusal(answer []byte, c *schema.Call) (reason string, refused bool) {
	if c == nil { // the payload can't be read: the strictest possible answer
		o, _ := ordjson.Parse(answer)
		goes, given := o.Bool("continue")
		return o.Str("reason"), given && !goes
	}
	h := schema.Hook{Event: c.Event, Native: c.Native}
	reply, _ := b.Host.DecodeReply(&h, schema.View{Event: c.Native}, &process.Result{Stdout: answer})
	return reply.Reason, reply.Verdict == schema.Deny
}
