package install

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/schema"
)

// An Approval is a pending review by the user of hookbridge's own entries in a host's file.
type Approval struct {
	Host  adapter.Dialect
	File  string        // gets the review
	Hooks []schema.Hook // the entries to review
	Off   []schema.Hook // entries that the user has switched off; they stay off

	before []byte // nil: there is no file
	exists bool
}

// ApprovalOf finds the entries in a host's current file that wait for a review. Entries that install didn't write
// aren't hookbridge's to approve.
func (x *Job) ApprovalOf(host adapter.Dialect) (*Approval, error) {
	approver, keeper := host.Abilities().Approves, host.Abilities().Trust
	if approver == nil || keeper == nil {
		return nil, &cmdline.Mistake{Text: "--trust is for agents that keep a review of each hook, and " +
			host.Profile().Title + " keeps none that hookbridge could write"}
	}
	a := &Approval{Host: host, File: approver.ApprovalFile(x.Places)}
	if a.File == "" {
		return nil, errors.New("the home folder is unknown; set HOME or name it with --home")
	}
	text, err := discover.Read(a.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	a.before, a.exists = text, err == nil

	at := schema.Source{File: FileOf(host, x.Places, x.Scope), Scope: x.Scope}
	if text, err = discover.Read(at.File); err != nil {
		return nil, err
	}
	cfg, _ := host.ParseConfig(text, at)
	for _, h := range cfg.Hooks {
		call, ok := cmdline.Parse(h.Command, h.Args)
		if !ok || !isInstalled(host, &call) {
			continue
		}
		switch keeper.Trust(&h, x.Places, discover.Read) {
		case dialect.Untrusted, dialect.TrustModified:
			a.Hooks = append(a.Hooks, h)
		case dialect.TrustOff:
			a.Off = append(a.Off, h)
		}
	}
	return a, nil
}

// Code identifies exactly these entries. A user who passes it has seen them.
func (a *Approval) Code() string {
	sum := sha256.New()
	for _, h := range a.Hooks {
		for _, part := range append([]string{h.Source.File, h.Path, h.Native, h.Matcher, h.Command}, h.Args...) {
			sum.Write([]byte(part + "\x00"))
		}
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}

// Write writes the review in the host's own form. The host's other hooks stay as they are.
func (a *Approval) Write() error {
	if a.Host == nil || a.Host.Abilities().Approves == nil || a.Host.Abilities().Trust == nil {
		return errors.New("the approval is for no agent that keeps reviews")
	}
	after := a.Host.Abilities().Approves.Approve(slices.Clone(a.before), a.Hooks)
	if after == nil {
		return errors.New(a.File + " has its record of hooks in a form that hookbridge doesn't change. " +
			a.Host.Abilities().Trust.Review())
	}
	if err := jsonedit.MakeParent(a.File); err != nil {
		return err
	}
	if !a.exists {
		return jsonedit.WriteFile(a.File, nil, after)
	}
	return jsonedit.WriteFile(a.File, a.before, after)
}
