package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

func trustCommand(args []string, std stdio) int   { return setTrust("trust", args, std) }
func untrustCommand(args []string, std stdio) int { return setTrust("untrust", args, std) }

func (f *runFlags) defineTrust(fs *flags) {
	f.ask = "deny"
	fs.text(&f.hooks, "hooks", "claude", "D", "the agent that the hooks are written for (default claude)")
	fs.text(&f.home, "home", "", "DIR", "home folder with the user's hooks (default $HOME)")
}

func setTrust(name string, args []string, std stdio) int {
	f := &runFlags{}
	fs := newFlags(name)
	f.defineTrust(fs)
	rest, err := fs.parse(args)
	if err == nil && len(rest) > 1 {
		err = errUsage{"one folder at a time"}
	}
	if err != nil {
		return failed(std, name, err)
	}
	dir := "."
	if len(rest) == 1 {
		dir = rest[0]
	}
	dir, err = filepath.Abs(dir)
	var b *adapter.Bridge
	if err == nil {
		f.project = dir
		b, err = f.bridge()
	}
	if err != nil {
		return failed(std, name, err)
	}
	if info, err := os.Stat(dir); name == "trust" && (err != nil || !info.IsDir()) {
		fmt.Fprintf(std.err, "hookbridge %s: %s is no folder\n", name, schema.Printable(dir))
		return exitFail
	}
	sum := ""
	if name == "trust" {
		res, ds := discover.Load(b.Hooks, b.Places, nil)
		for _, d := range ds {
			if d.Severity == schema.Error {
				fmt.Fprintln(std.err, "hookbridge: "+d.String())
			}
		}
		if sum, err = adapter.Fingerprint(dir, res); res.Failed || err != nil {
			fmt.Fprintf(std.err, "hookbridge trust: the hook files of %s cannot all be read; nothing recorded%s\n", schema.Printable(dir), because(err))
			return exitFail
		}
	}
	if err := adapter.Trust(b.TrustFile, dir, sum); err != nil {
		fmt.Fprintf(std.err, "hookbridge %s: %s\n", name, schema.Printable(err.Error()))
		return exitFail
	}
	fmt.Fprintf(std.out, "%sed %s\n", name, schema.Printable(dir))
	return exitOK
}

// because is an error as the end of a sentence, nothing for none.
func because(err error) string {
	if err == nil {
		return ""
	}
	return ": " + schema.Printable(err.Error())
}
