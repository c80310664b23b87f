package bridge

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/schema"
)

// A SkipReason says why a hook was not run. The zero SkipReason is invalid.
type SkipReason uint8

const (
	_             SkipReason = iota
	SkipEvent                // it is for another event
	SkipMatcher              // its matcher does not fit
	SkipCondition            // its condition does not hold
	SkipDuplicate            // an equal hook runs already
	SkipLimit                // it has blocked as often as its limit allows
	SkipRan                  // it ran, or will run, at the host's other event for the same call
	SkipRefused              // the call was refused before its turn
	SkipEnded                // an earlier hook has ended the turn
	SkipUntrusted            // its project is not trusted
	SkipDisabled             // a setting switches it off
	SkipBridge               // it is a call of the bridge itself
	SkipUnread               // the file that it is to be shown cannot be read
	SkipScope                // another entry of the bridge runs it
)

var skipNames = [...]string{"skip(invalid)", "event", "matcher", "condition", "duplicate", "loop-limit", "already-run", "refused", "turn-ended",
	"untrusted", "disabled", "bridge", "unreadable", "scope"}

// String returns the word used in reports.
func (s SkipReason) String() string {
	if int(s) >= len(skipNames) {
		s = 0
	}
	return skipNames[s]
}

// A Skip is a hook that did not run, with the reason.
type Skip struct {
	Hook   schema.Hook
	Why    SkipReason
	Detail string // for people
}

// A Trace shows how a Run arrived at its answer. A Report without one has the
// result only.
type Trace struct {
	Sources []schema.Source // files that were read
	Views   []schema.View   // how the hooks' agent would show the call
	Skipped []Skip          // hooks that were not run, in configuration order
	Merged  schema.Reply    // what all hooks say together, before the host's limits
}

// unfit says why no view suits a hook: it is called where viewFor has found none.
func (r selector) unfit(h *schema.Hook, views []schema.View, why SkipReason) {
	if r.log.trace == nil {
		return
	}
	var targets []string
	for _, v := range views {
		if h.Native != "" && h.Native != v.Event {
			continue
		}
		for _, t := range v.Target {
			if !slices.Contains(targets, t) {
				targets = append(targets, t)
			}
		}
	}
	detail := ""
	switch why {
	case SkipEvent:
		detail = "it is for " + h.Native
	case SkipMatcher:
		detail = "the matcher " + plan.QuoteOr(h.Matcher, "of none") + " doesn't match " + strings.Join(targets, ", ")
		if dead, live := plan.Unsent(r.Hooks, r.Host, h); !live {
			detail += "; " + plan.NeverSent(r.Host, h, dead)
		}
	case SkipCondition:
		detail = "the condition " + plan.QuoteOr(h.Condition, "of none") + " isn't true"
	case SkipUnread:
		detail = "this event comes after the file is read, and the file can't be read"
	}
	r.log.skip(h, why, detail)
}
