package doctor

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/projectfile"
)

// writeAccept prompts for a reason for each problem that fails the check, one line of stdin each. It adds the findings
// with a reason to hookbridge.yaml. An empty or missing line accepts nothing, and the problem still fails the check.
func (x *doctor) writeAccept(std cli.IO) (int, error) {
	in, p := bufio.NewReader(std.In), cli.PainterFor(std.Out)
	var accepted []projectfile.Accepted
	left := false
	for _, g := range x.groups(x.fails) {
		printFailing(std.Out, p, g)
		fmt.Fprint(std.Out, "    reason to accept it, or Enter to leave it: ")
		line, _ := in.ReadString('\n')
		reason := strings.TrimSpace(line)
		fmt.Fprintln(std.Out)
		if reason == "" {
			left = true
			continue
		}
		for _, finding := range g.lines {
			accepted = append(accepted, projectfile.Accepted{Finding: finding, Reason: reason})
		}
	}
	if len(accepted) == 0 {
		fmt.Fprintln(std.Out, "Nothing was accepted.")
		return cli.FailIf(left), nil
	}

	return cli.FailIf(left), x.addAccepted(std.Out, accepted)
}

// addAccepted writes findings into hookbridge.yaml. It prints them instead if nothing can be added safely to the form
// of the file.
func (x *doctor) addAccepted(w io.Writer, accepted []projectfile.Accepted) error {
	file := filepath.Join(x.bridge.Places.Project, projectfile.Name)
	before, err := discover.Read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	after := withAccepted(before, x.file.Accept, accepted)
	now, err := projectfile.Parse(projectfile.Name, after)
	if err != nil || len(now.Accept) != len(x.file.Accept)+len(accepted) {
		return fmt.Errorf("can't add to hookbridge.yaml; write into its list accept:\n%s", acceptedText("", accepted))
	}
	if err := jsonedit.WriteFile(file, before, after); err != nil {
		return err
	}
	fmt.Fprintf(w, "written  %s: %s accepted\n", projectfile.Name, cli.Counted(len(accepted), "finding"))
	return nil
}

// withAccepted returns the text of hookbridge.yaml with the additional findings after the accepted ones.
func withAccepted(text []byte, had, add []projectfile.Accepted) []byte {
	if len(had) == 0 {
		return common.WithLines(text, "accept:\n"+acceptedText("  ", add))
	}

	text = common.WithLines(text, "")
	last := had[len(had)-1]
	lines := strings.SplitAfter(string(text), "\n")
	line := lines[last.Line-1]
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	if !strings.HasPrefix(line[len(indent):], "-") { // the reason comes first
		indent = strings.TrimSuffix(indent, "  ")
	}
	at := last.Line
	for i := at; i < len(lines); i++ {
		inside := strings.HasPrefix(lines[i], indent+" ")
		blank := strings.TrimSpace(lines[i]) == ""
		if !inside && !blank {
			break
		}
		if inside && !blank {
			at = i + 1
		}
	}
	return []byte(strings.Join(lines[:at], "") + acceptedText(indent, add) + strings.Join(lines[at:], ""))
}

func acceptedText(indent string, list []projectfile.Accepted) string {
	var out strings.Builder
	for _, a := range list {
		fmt.Fprintf(&out, "%s- finding: %s\n%s  reason: %s\n", indent, ordjson.AppendString(nil, a.Finding), indent,
			ordjson.AppendString(nil, a.Reason))
	}
	return out.String()
}

// acceptLine returns a problem of a hook in the form that hookbridge.yaml uses.
func (x *doctor) acceptLine(f *inspect.Finding, p *inspect.Problem) string {
	parts := []string{p.Status.String(), f.Host, x.InHome(f.File), common.MatchedEvent(f), common.CommandOf(f)}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}
