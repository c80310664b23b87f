// Package canary is the command canary.
package canary

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed canary.txt
var help string

// Command is the command canary.
func Command() cli.Command { return cli.Documented[flags](help) }

type flags struct {
	common.RunFlags
	scope        string
	remove, json bool
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Row(&f.Call, "host", "")
	fs.Text(&f.scope, "scope", "project")
	fs.Yes(&f.remove, "remove")
	fs.Yes(&f.json, "json")
	f.DefinePlaces(fs)
}

// canaryDoc is the result of the command for --json.
type canaryDoc struct {
	Host      string `json:"host"`
	File      string `json:"file"`
	Event     string `json:"event"`
	Installed bool   `json:"installed"` // the entry is in the file now
	Called    bool   `json:"called"`
	Last      string `json:"last"` // when, or "" for never
}

// canaryWait is how often a waiting canary checks whether it was called.
const canaryWait = 300 * time.Millisecond

func (f *flags) Run(_ *cli.Flags, _ []string, std cli.IO) (int, error) {
	host, err := cmdline.FindAgent("--host", f.Text("host"))
	if err != nil {
		return 0, cli.AsUsage(err)
	}
	b, err := f.Ready()
	if err != nil {
		return 0, err
	}
	job := &install.Job{Scope: cmdline.ScopeOf(f.scope), File: &projectfile.File{}, Places: b.Places,
		Fixed: cli.ProgramFile(os.Getenv("PATH"))}
	c, err := job.CanaryIn(host)
	if err != nil {
		return 0, err
	}
	store, key := common.SeenStore(b.Places.Env, b.Places.Home), common.SeenKey(host, c.Event, schema.ScopeGiven, "")
	if f.remove {
		return f.end(std, host, c, store, key)
	}

	if err := store.Forget(key); err != nil {
		return 0, err
	}
	if err := c.Add(); err != nil {
		return 0, err
	}
	if f.json {
		cli.PrintJSON(std.Out, canaryDoc{host.Profile().Name, c.File(), c.Event, true, false, ""})
		return cli.OK, nil
	}
	fmt.Fprintf(std.Out, "installed  %s\n", cli.Shown(c.File()))
	if review := c.Review(); review != "" {
		fmt.Fprintf(std.Out, "%s\n", schema.Printable(review))
	}
	fmt.Fprintf(std.Out, "Start a new session of %s and send it a prompt. At %s it shows, to you or to its model: %s\n",
		host.Profile().Title, c.Event, schema.Printable(c.Says))
	if cli.NewDialog(std) == nil {
		fmt.Fprintf(std.Out, "Then: hookbridge canary --host %s --scope %s --remove\n", host.Profile().Name, f.scope)
		return cli.OK, nil
	}
	fmt.Fprintf(std.Out, "Waiting for the call. Ctrl-C takes the entry out.\n")
	waitFor(store, key)
	if c, err = job.CanaryIn(host); err != nil {
		return 0, err
	}
	return f.end(std, host, c, store, key)
}

// waitFor returns after an entry was called, or after the user interrupts.
func waitFor(store state.Store, key string) {
	ctx, stop := cli.UntilEnded(context.Background())
	defer stop()
	for {
		if seen, err := store.Seen(key); err == nil && seen.Calls > 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(canaryWait):
		}
	}
}

// end removes the canary and reports whether it was called.
func (f *flags) end(std cli.IO, host adapter.Dialect, c *install.Canary, store state.Store, key string) (int,
	error) {
	seen, err := store.Seen(key)
	if err == nil {
		err = c.Remove()
	}
	if err != nil {
		return 0, err
	}

	called := seen.Calls > 0
	switch {
	case f.json:
		doc := canaryDoc{Host: host.Profile().Name, File: c.File(), Event: c.Event, Called: called}
		if called {
			doc.Last = seen.Last.UTC().Format(time.RFC3339)
		}
		cli.PrintJSON(std.Out, doc)
	case called:
		fmt.Fprintf(std.Out, "called     %s called the entry %s\n", host.Profile().Title,
			common.Ago(time.Since(seen.Last)))
	case !c.There:
		fmt.Fprintf(std.Out, "absent     %s has no canary\n", cli.Shown(c.File()))
	default:
		fmt.Fprintf(std.Out, "never      %s didn't call the entry\n", host.Profile().Title)
		if review := c.Review(); review != "" {
			io.WriteString(std.Out, schema.Printable(review)+"\n")
		}
	}

	return cli.FailIf(!called), store.Forget(key)
}
