package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A proseRule bans a construction. Every match of ban is a finding, unless it
// overlaps a match of except.
type proseRule struct {
	ban, except string
	instead     string
	finds       string // a sentence with a finding
	passes      string // a similar sentence without one
}

// proseRules are constructions that a native-speaking engineer stumbles over. The list is short on purpose: a rule with
// false alarms gets removed.
var proseRules = []proseRule{
	{`\baloud\b`, ``, "reported",
		"what is lost is said aloud", "what is lost is reported; it's allowed"},
	{`\bcarr(y|ies) over\b|\bwhat carries\b|\b(cannot|not|can't) (be )?carr(y|ied)\b|\bno channel\b`, ``,
		"translated, supported", "what cannot carry over", "the payload carries the tool's name"},
	{`\bwhat cannot\b`, ``, "anything that can't",
		"what cannot carry is said", "hookbridge reports what it can't translate"},
	{`\bheed(s|ed|ing)?\b`, ``, "honors, reads, applies",
		"Cursor heeds no answer", "Cursor needs no answer"},
	{`\b(who|whoever) would\b|\bwho wants\b`, ``, "to do X, ...",
		"Who would rather have a file of its own", "a file that would be rejected"},
	{`\b(is|are|was|were) no [a-z]+`,
		`\b(there|here|where) (is|are|was|were) no|\bno ` +
			`(longer|more|fewer|less|different|better|worse|later|earlier|one)\b`,
		"isn't a, aren't", "a permission rule is no matcher",
		"There is no event. It is no longer there, and the limit is no more than 3."},
	{`\bstands? (in|on|at|beside|behind|between|there|alone|under|with)\b`, `\bstands? in for\b`, "is in",
		"the hook stands in a file", "D stands for a dialect"},
	{`\btells? (what|how|whether|which|where|why|of|for|apart|more|from|when|that)\b|\btold (apart|of|from)\b`,
		``, "describes, shows, prints", "X --help tells how it is used", "This tells the agent what to write."},
	{`\b(hooks?|bridge|host|editor|cursor|claude) (is|are|was|were|gets|be) told\b`, ``, "gets, sees",
		"the hook is told the path", "the user is told the path"},
	{`\b(is|are|was|were|be|been) said\b`, `\b(is|are) said to\b`, "is reported",
		"an error is said on stderr", "what it said is printed"},
	{`\b(held|hold|holds) (that|against|it to)\b`, ``, "checks, compares with",
		"a test holds that it works", "the lock is held while it runs"},
	{`\b(the|an|its|this|that|same|one|each|every) acts?\b|\bacts (proceeds?|goes)\b`,
		`\bthe acts? of\b|\b(that|this) acts\b`, "the call", "the act proceeds", "a program that acts as a hook"},
	{`\b(make|makes|made) believe\b`, ``, "pretend", "who could make believe that a gate is kept", "we believe it"},
	{`\bfor ever\b`, ``, "forever", "it keeps its number for ever", "the time for every hook"},
	{`\bin ([a-z]+('s|s')|its|their|our|the) (own )?words\b`, ``, "in its format",
		"answered in Cursor's words", "in other words"},
	{`\b(questions?|ask) (is|are|was|cannot be|can't be) put\b|\bput to the user\b`, ``, "the user is asked",
		"a question is put", "the output is put in a file"},
	{`\b(therein|thereof|thereto|wherein|whereof|whereby|herein|whilst|amongst|shall|lest|hence|mended|naught|nought` +
		`|judgement)\b`,
		``, "plain words", "a fault that was mended", "the fault is recommended reading; the least; shallow"},
	{`\bto speak of\b|\b(led|lead) astray\b|\bcome loose\b|\bnone the less\b|\ball the same\b|\bby and by\b|\bkeeps ` +
		`its bytes\b`,
		`\b(are|is|were|be) all the same\b`, "plain words", "no time to speak of", "they are all the same"},
	{`\b(colour|honour|behaviour|neighbour|favour|licence|catalogue|centre)(s|d|ed|ing)?\b|\banalyse[ds]?\b|` +
		`\b[a-z]*(real|recogn|serial|initial|normal|author|organ|summar|minim|optim|custom)is(e|ed|es|ing|ation)\b`,
		``, "American spelling", "the behaviour of a colour", "to recognize; the analysis; promised"},
	{`\b(a )?(payload|file|text|answer)s? that (is|are) none\b`, ``, "invalid",
		"A payload that is none is reported", "none of the payloads"},
	{`\bvoided by\b|\bto void (it|them|the)\b`, ``, "changed, rejected",
		"an answer must not be voided by a status", "Cursor rejects the whole file"},
	{`\ba road to\b|\bnone of (its|their) [a-z']+ own\b`, ``, "a bridge to, isn't a hook of",
		"the entry is a road to other hooks", "a bridge to other hooks"},
	{`\bis (it|this|that) so\b|\b(did|does) right\b`, ``, "How this is tested; handled correctly",
		"Is it so? It did right in 28 of 34.", "it is so that the file stays"},
	{`\bwhen the agent waits\b`, ``, "needs input", "rings when the agent waits", "the agent waits for the hook"},
	{`\bleaves? to (the|its) other\b|\bimports an entry\b`, ``, "neither runs the other's; loads the entry",
		"each leaves to the other's entry what that runs", "it leaves the file"},
	{`\bthe one that [a-z ]+ is of\b|\bnil if any\b|\binto no [a-z]+\b|\b(gives?|gave) the [a-z]+ back\b|` +
		`\blets? go of\b`,
		``, "the one this describes, nil means, returns nil, recovers, detaches",
		"Accepted turns a file into no config", "it goes into the file; nil if none"},
	{`\bnothing is changed\b|\bnot what it was written for\b`, ``,
		"nothing changed; which the script doesn't understand",
		"no hook is found; nothing is changed", "nothing changed"},
	{`\bthe bridge('s)?\b`, ``, "hookbridge, hookbridge's entry",
		"Cursor doesn't call the bridge", "a bridge between two agents"},
}

// userRules are rules for what users read: pages, help and diagnostics, but not comments.
var userRules = []proseRule{
	{`\bno file shows\b`, ``, "hookbridge can't check it",
		"no file shows whether you have", "the file shows it"},
	{`\bthe script [a-z"+ ]*doesn't exist\b`, ``, "script not found: ...",
		"the script guard doesn't exist", "script not found"},
	{`(?-i:\bD (is|are)\b|--[a-z-]+ D\b)`, ``, "AGENT", "D is claude, cursor, ...", "AGENT is one of claude, cursor"},
	{`\bbeside\b|\bof which\b|\bthose that\b`, ``, "next to, with, also; a noun",
		"those that hookbridge runs beside", "besides; the ones"},
	{`\bmembers?\b`, ``, "field",
		"unknown member of the object", "unknown field; everybody remembers it"},
	{`\b(runs|ran) its own hooks without hookbridge\b|--hooks names another agent\b|\bis not a call of one line\b`, ``,
		"--host and --hooks must differ; unknown call", "claude runs its own hooks; --hooks names another agent",
		"the agent runs its own hooks"},
	{`\bno command asks for\b`, ``, "unknown", "no command asks for this fact", "unknown fact"},
	{`\blet its failure\b|\b(it )?happens anyway\b`, ``, "set a fail policy; the call proceeds",
		"let its failure block", "it happens twice"},
	{`\bhas come loose\b|\bsays nothing\b`, ``, "fails silently", "it runs no hook, and says nothing",
		"it says no more than that"},
	{`\bby itself, beside\b`, ``, "also", "it imports the file by itself, beside hookbridge",
		"it imports the file by itself"},
	{`\bthe (host|agent) takes no longer\b`, ``, "is truncated", "The host takes no longer text",
		"it takes no longer than that"},
	{`\bknows two agents\b|\bthe package's floor\b`, ``, "depends on; layer",
		"no code knows two agents", "no code depends on two agents"},
	{`\bthe event's value is not an array\b`, ``, "EVENT must be an array", "the event's value is not an array",
		"Stop must be an array"},
}

// prose returns the findings in a text.
func prose(list []compiledRule, text string) (found []string) {
	for _, r := range list {
		var fine [][]int
		if r.except != nil {
			fine = r.except.FindAllStringIndex(text, -1)
		}
	matches:
		for _, at := range r.ban.FindAllStringIndex(text, -1) {
			for _, f := range fine {
				if f[0] < at[1] && at[0] < f[1] {
					continue matches
				}
			}
			found = append(found, strconv.Quote(text[at[0]:at[1]])+": write "+r.instead)
		}
	}
	return found
}

type compiledRule struct {
	ban, except *regexp.Regexp
	instead     string
}

func compiledRules(rules []proseRule) (list []compiledRule) {
	for _, r := range rules {
		c := compiledRule{ban: regexp.MustCompile("(?i)" + r.ban), instead: r.instead}
		if r.except != "" {
			c.except = regexp.MustCompile("(?i)" + r.except)
		}
		list = append(list, c)
	}
	return list
}

// TestProseRules tries each rule on its own examples.
func TestProseRules(t *testing.T) {
	all := slices.Concat(proseRules, userRules)
	list := compiledRules(all)
	for i, r := range all {
		if prose(list[i:i+1], r.finds) == nil {
			t.Errorf("%s: nothing found in %q", r.ban, r.finds)
		}
		if found := prose(list, r.passes); found != nil || r.passes == "" {
			t.Errorf("%q: %s", r.passes, found)
		}
	}
}

// A passage is a text that people read.
type passage struct {
	file string
	line int
	text string
	dev  bool // a comment, a generated page, or the history of changes
}

// TestProse applies the rules to the pages, the help, the diagnostics and the
// comments.
func TestProse(t *testing.T) {
	list, users := compiledRules(proseRules), compiledRules(userRules)
	all := passages(t, "../..")
	for _, p := range all {
		found := prose(list, p.text)
		if !p.dev {
			found = append(found, prose(users, p.text)...)
		}
		for _, f := range found {
			t.Errorf("%s:%d: %s", strings.TrimPrefix(p.file, "../../"), p.line, f)
		}
	}
	if len(all) < 1000 {
		t.Errorf("only %d passages", len(all))
	}
}

func passages(t *testing.T, root string) (all []passage) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := d.Name(); {
		case d.IsDir() && (name == ".git" || name == "testdata" || name == "node_modules" || name == "vectors"):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".md"), name == "codes.txt", isHelp(path):
			all = append(all, pageText(t, path)...)
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			all = append(all, sourceText(t, path)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// isHelp reports whether a file is the help of a command.
func isHelp(path string) bool {
	help, _ := filepath.Match("../../internal/command/*/*.txt", path)
	return help
}

// pageText returns the paragraphs and table rows of a page without its code.
func pageText(t *testing.T, path string) (all []passage) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fenced := false
	base := filepath.Base(path)
	dev := strings.HasPrefix(base, "LIVE") || base == "CHANGELOG.md"
	p := passage{file: path, line: 1, dev: dev}
	for i, line := range strings.Split(string(text), "\n") {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if fence {
			fenced = !fenced
		}
		code := fence || fenced || strings.HasPrefix(line, "    ")
		if code || line == "" || strings.HasPrefix(line, "|") {
			all = append(all, p)
			p = passage{file: path, line: i + 1, dev: dev}
		}
		if !code {
			p.text += codeSpan.ReplaceAllString(line, "X") + " "
		}
	}
	return append(all, p)
}

// internalText reports whether a file's texts are read by developers only: tests of the project, and generators.
func internalText(path string) bool {
	return strings.Contains(path, "/internal/schematest/") || strings.Contains(path, "/bench/") ||
		strings.Contains(path, "/conformance/")
}

// codeSpan matches what isn't prose: code, and a client's text in “ ”.
var codeSpan = regexp.MustCompile("`[^`]*`|“[^”]*”")

// sourceText returns the string literals of a Go file that are sentences (including help and diagnostics) and the
// comments.
func sourceText(t *testing.T, path string) (all []passage) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	doc := func(c *ast.CommentGroup) {
		if c != nil {
			all = append(all, passage{path, set.Position(c.Pos()).Line, strings.ReplaceAll(c.Text(), "\n", " "), true})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && strings.Count(text, " ") >= 2 {
				all = append(all, passage{path, set.Position(n.Pos()).Line, strings.ReplaceAll(text, "\n", " "),
					internalText(path)})
			}
		}
		return true
	})
	for _, c := range file.Comments {
		doc(c)
	}
	return all
}
