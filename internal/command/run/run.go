package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/redact"
	"github.com/hookbridge/hookbridge/schema"
)

// logLimit is how long a call waits for its log, which another program may block. The answer is already written, and
// for some hosts it counts only after the program has ended.
const logLimit = 3 * time.Second

// A call is one call of run.
type call struct{ common.RunFlags }

func (f *call) Run(_ *cli.Flags, rest []string, std cli.IO) (int, error) {
	if err := f.Finish(rest); err != nil {
		return 0, err
	}

	f.Called = true
	b, err := f.Bridge()
	if b == nil || errors.As(err, new(cli.UsageError)) {
		return 0, err
	}
	if err == nil && f.LooksForHooks() { // called by a host, so without the usage text
		err = bridge.CheckProject(f.Text("project"))
	}
	if err == nil && f.Has("requires") {
		err = b.Outdated(&f.Call, cli.VersionText())
	}

	if err == nil {
		if err = deeper(b); err != nil {
			b.FailClosed = true
		}
	}

	stdin, rerr := common.ReadAll(std.In)
	if rerr != nil {
		stdin, err = nil, bridge.Own(fmt.Errorf("reading stdin: %w", rerr))
	}

	ctx, listen := cli.UntilAsked()
	b.Slow = listen
	start := time.Now()
	answered := func(answer []byte, report *bridge.Report, err error) int {
		return f.answer(std, b, answer, report, err, start)
	}
	b.Late = func(answer []byte, report *bridge.Report, err error) { os.Exit(answered(answer, report, err)) }
	code := answered(b.Guarded(ctx, stdin, f.Text("event"), err))
	if len(stdin) == 0 && rerr == nil {
		io.WriteString(std.Err, "hookbridge: got no payload on stdin; to try an event, use hookbridge fire\n")
	}

	return code, nil
}

// answer writes the answer, then the report, and returns the exit status.
func (f *call) answer(std cli.IO, b *bridge.Bridge, answer []byte, report *bridge.Report, err error,
	start time.Time) int {
	end := b.End(answer, report, err)
	code := end.Exit
	if _, werr := std.Out.Write(end.Stdout); len(end.Stdout) > 0 && werr != nil && code == cli.OK {
		code = cli.Failed
	}

	// The answer is already written, so a failed write to stderr must not change the exit code.
	cli.OutliveReader()
	if end.Reason != nil {
		io.WriteString(std.Err, f.hideSecrets(string(end.Reason)))
	} else {
		f.tell(std, b, report)
	}

	f.saw(b, report, err)
	if log := f.Text("log"); log != "" {
		defer time.AfterFunc(logLimit, func() { os.Exit(code) }).Stop()
		lerr := common.AppendLog(common.LogFile(log, b.Places.Home), append(f.record(b, report, err, start), '\n'))
		if lerr != nil && end.Reason == nil {
			fmt.Fprintf(std.Err, "hookbridge: warning: log: %s\n", schema.Printable(lerr.Error()))
		}
	}
	return code
}

// tell writes the report.
func (f *call) tell(std cli.IO, b *bridge.Bridge, report *bridge.Report) {
	if b.Notice != "" {
		io.WriteString(std.Err, b.Notice+"\n")
	}
	if len(report.Printed) > 0 {
		io.WriteString(std.Err, f.hideSecrets(string(report.Printed)))
	}
	for _, name := range f.Ignored() {
		io.WriteString(std.Err, "hookbridge: note: "+cmdline.Dashed(name)+" has no effect any more\n")
	}
	for _, d := range report.Diagnostics {
		io.WriteString(std.Err, f.hideSecrets("hookbridge: "+d.String()+"\n"))
	}
}

// maxDepth ends two bridges that call each other. Each may start several, so even a slightly higher limit would be too
// high.
const maxDepth = 5

// deeper counts this bridge. Too many levels are an error regardless of the flags, because anyone can set the variable,
// and it must not silence a guard.
func deeper(b *bridge.Bridge) error {
	depth, _ := strconv.Atoi(b.Places.Env.Get(cli.DepthVariable))
	if depth >= maxDepth {
		return fmt.Errorf("hookbridge runs inside its own hooks, %d levels deep, because two entries call each other; "+
			"remove hookbridge's entry from the file whose hooks it runs (%s=%d)", depth, cli.DepthVariable, depth)
	}
	b.Places.Env = b.Places.Env.With(nil, schema.EnvVar{Name: cli.DepthVariable,
		Value: strconv.Itoa(max(depth, 0) + 1)})
	return nil
}

// hideSecrets replaces text that looks like a secret, unless the user passed --log-secrets.
func (f *call) hideSecrets(text string) string {
	if f.On("log-secrets") {
		return text
	}
	return redact.Text(text)
}
