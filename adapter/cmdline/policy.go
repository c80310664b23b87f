package cmdline

// AskPolicy decides what happens to an ask that the host can't honor at the event
// itself. The zero AskPolicy denies.
type AskPolicy uint8

const (
	AskDeny  AskPolicy = iota // deny with the hook's reason
	AskRelay                  // ask at the host's gate event, deny where there is none
	AskAllow                  // let the call proceed
)

// AllowPolicy says what becomes of an allow by which the hook's agent understands
// no objection, under a host that would skip the user's permission prompt for it.
type AllowPolicy uint8

const (
	AllowPass    AllowPolicy = iota // no opinion: the host's own rules decide
	AllowApprove                    // approve, which skips the prompt
)

// A Policy is what the user chose for verdicts that two agents understand
// differently. The zero Policy is the strict one.
type Policy struct {
	Ask   AskPolicy
	Allow AllowPolicy
}

// PolicyOf is the policy that the values of --ask and --allow state. A word that is
// none of theirs states the strict one.
func PolicyOf(ask, allow string) (p Policy) {
	p.set("--ask", ask)
	p.set("--allow", allow)
	return p
}

// Flags are the arguments of the bridge that state the policy.
func (p Policy) Flags() (args []string) {
	switch p.Ask {
	case AskRelay:
		args = append(args, "--ask", "relay")
	case AskAllow:
		args = append(args, "--ask", "allow")
	}
	if p.Allow == AllowApprove {
		args = append(args, "--allow", "approve")
	}
	return args
}

// set reads one of those arguments back; false if it is none.
func (p *Policy) set(flag, value string) bool {
	switch flag + " " + value {
	case "--ask relay":
		p.Ask = AskRelay
	case "--ask allow":
		p.Ask = AskAllow
	case "--allow approve":
		p.Allow = AllowApprove
	default:
		return false
	}
	return true
}
