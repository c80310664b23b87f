package cursor

import "github.com/hookbridge/hookbridge/schema"

// blocked is exit code 2: stdout is the reason, verbatim, then stderr.
func (d *decoder) blocked(stdout, stderr string) {
	reason := "Hook blocked this action"
	switch {
	case stdout != "":
		reason = stdout
	case stderr != "":
		reason = "Hook blocked with message: " + stderr
	}
	if d.row.Blocks == 0 {
		d.ds.Add(schema.CodeIgnoredEffect, d.hook.Path, "exit code 2 has no effect on "+d.row.Native)
		return
	}
	d.refuse(reason)
}

func (d *decoder) refuse(reason string) {
	if d.row.Blocks == schema.EffectEndTurn {
		d.reply = schema.Reply{EndTurn: true, EndReason: reason}
		return
	}
	d.reply = schema.Reply{Verdict: schema.Deny, Reason: reason}
}

// failed applies failClosed and the gates that always fail closed in 2.4.
func (d *decoder) failed(reason string) {
	if d.row.Blocks != 0 && (d.hook.Fail == schema.FailClosed || d.old && d.closedGate()) {
		d.refuse("Hook failed and is set to fail closed: " + reason)
	}
}
