package conformance

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// ofHook are the codes of findings about one hook while it runs: such a finding
// names its file and line.
var ofHook = []schema.Code{schema.CodeNotStarted, schema.CodeTimedOut, schema.CodeBadAnswer, schema.CodeBadSchema,
	schema.CodeHookFailed,
	schema.CodeTruncated, schema.CodeNoEvaluator, schema.CodeNoHandler, schema.CodeHTTP, schema.CodeForeignAnswer,
	schema.CodeReleased, schema.CodeDetached, schema.CodeEvaluator, schema.CodeBadCondition}

// readTexts checks the text of every finding that a vector produces: it is a sentence with the agents' usual names, and
// has a place and a remedy. The result is called when all vectors have run.
func readTexts(t *testing.T, own *Own) (done func()) {
	var short []string // names for command lines
	for _, d := range adapter.Dialects() {
		short = append(short, regexp.QuoteMeta(d.Profile().Name))
	}
	inProse := regexp.MustCompile(`(?:^|[ (])(?:` + strings.Join(short, "|") + `)(?:'s|[ ,.;)]|$)`)
	flag := regexp.MustCompile("`[^`]*`|\"[^\"]*\"|--[a-z]+ [a-z-]+")
	seen := map[schema.Code]bool{}
	bad := map[string]bool{}
	own.found = func(req *Request, ds schema.Diagnostics) {
		for _, d := range ds {
			seen[d.Code] = true
			text := flag.ReplaceAllString(d.Message+" "+d.Fix, "X")
			why := ""
			switch {
			case strings.Count(strings.TrimSpace(d.Message), " ") < 2:
				why = "is no sentence"
			case strings.TrimRight(d.Message, " :") != d.Message:
				why = "ends with nothing"
			case inProse.MatchString(text):
				why = "names an agent by its name for command lines"
			case d.Remedy() == "":
				why = "doesn't say what to do"
			case req.Op == OpRun && slices.Contains(ofHook, d.Code) && (d.File == "" || d.Line == 0):
				why = "doesn't say which hook"
			}
			if why != "" && !bad[why+string(d.Code)] {
				bad[why+string(d.Code)] = true
				t.Errorf("%s: %s: %s", req.ID, d, why)
			}
		}
	}
	return func() {
		for _, info := range schema.Codes() {
			if !seen[info.Code] && beyond[info.Code] == "" { // tested in cmd/hookbridge
				t.Errorf("no text of %s was read", info.Code)
			}
		}
	}
}
