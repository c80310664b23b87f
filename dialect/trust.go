package dialect

import "github.com/hookbridge/hookbridge/schema"

// A TrustState says whether an agent runs a hook, as far as its user's review goes.
type TrustState uint8

const (
	TrustUnknown    TrustState = iota // the agent's record doesn't say
	TrustNotNeeded                    // the agent runs the hook without a review
	Trusted                           // the user has reviewed the hook as it is
	Untrusted                         // never reviewed: the hook doesn't run
	TrustModified                     // changed since its review: the hook doesn't run
	TrustOff                          // the user has switched the hook off
	FolderUntrusted                   // the user has said not to trust the project's folder
)

// Stops reports whether the agent doesn't run the hook.
func (s TrustState) Stops() bool { return s >= Untrusted }

// A TrustKeeper is a dialect whose agent runs only hooks that its user has reviewed.
type TrustKeeper interface {
	// Trust returns the state of one of the agent's own hooks.
	Trust(h *schema.Hook, p schema.Places, read func(path string) ([]byte, error)) TrustState
	// Review says in a sentence how a user reviews hooks.
	Review() string
}
