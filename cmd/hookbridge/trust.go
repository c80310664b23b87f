package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

const trustUsage = `usage: hookbridge trust [--hooks D] [--home DIR] [DIR]
       hookbridge untrust [--home DIR] [DIR]

Records that the hooks of the project DIR (default: here) may be run by entries
that carry --require-trust. What is recorded is a hash of the project's hook files
and of the scripts that they name: after a change the hooks are not run until they
are trusted again.
`

func trustCommand(args []string, std stdio) int   { return setTrust("trust", args, std) }
func untrustCommand(args []string, std stdio) int { return setTrust("untrust", args, std) }

func setTrust(name string, args []string, std stdio) int {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	f := runFlags{ask: "deny"}
	fs.StringVar(&f.hooks, "hooks", "claude", "")
	fs.StringVar(&f.home, "home", "", "")
	if err := fs.Parse(args); err == flag.ErrHelp {
		io.WriteString(std.out, trustUsage)
		return exitOK
	} else if err != nil || fs.NArg() > 1 {
		io.WriteString(std.err, trustUsage)
		return exitUsage
	}
	dir := fs.Arg(0)
	if dir == "" {
		dir = "."
	}
	dir, err := filepath.Abs(dir)
	var b *adapter.Bridge
	if err == nil {
		f.project = dir
		b, err = f.bridge()
	}
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge %s: %v\n", name, err)
		return exitUsage
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		fmt.Fprintf(std.err, "hookbridge %s: %s is no folder\n", name, dir)
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
			fmt.Fprintf(std.err, "hookbridge trust: the hook files of %s cannot all be read; nothing recorded (%v)\n", dir, err)
			return exitFail
		}
	}
	if err := adapter.Trust(b.TrustFile, dir, sum); err != nil {
		fmt.Fprintf(std.err, "hookbridge %s: %v\n", name, err)
		return exitFail
	}
	fmt.Fprintf(std.out, "%sed %s\n", name, dir)
	return exitOK
}
