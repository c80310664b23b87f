package gemini

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// file is how a settings.json and the hooks.json of an extension are read (observed 0.61.0). The client skips only the
// mistake itself, with one exception: a matcher that isn't a string makes its event fail every time.
var file = family.FileRules{
	NoMark: true, LastCounts: true, FalseNone: true, LoneGroup: true, BadHooks: family.DropsEvent,
	Missing: family.DropsHandler,
	NoType:  family.DropsHandler, Empty: family.DropsHandler, NoText: family.SilencesEvent,
	NotEvents: []string{"enabled", "disabled", "notifications"}, // switches before 0.28.0
	Settings:  []family.SettingRow{{Name: "hooksConfig", Read: readSwitches}},
	Comments:  true,
	InPlugin: func(rules *family.FileRules) {
		rules.Comments, rules.LoneGroup, rules.Settings = false, false, nil
	},
	Handlers: []family.HandlerRow{{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}}},
	Groups: []family.EntryRow{
		{Name: "sequential", Feature: schema.HookSequential, Untyped: true, Flag: family.SequentialOf},
	},
	Entries: []family.EntryRow{
		{Name: "command", Of: schema.HandlerCommand, Text: family.CommandOf, Write: family.WriteCommand},
		{Name: "timeout", Feature: schema.HookTimeout, Read: readTimeout, Write: writeTimeout},
		{Name: "env", Feature: schema.HookEnv, Untyped: true, Pairs: family.EnvOf},
	},
}

const (
	switchPath   = "/hooksConfig/enabled"
	disabledPath = "/hooksConfig/disabled"
)

func readSwitches(cfg *schema.Config, m ordjson.Member, _ string) (bad string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		return "hooksConfig is not an object"
	}
	for _, m := range o {
		switch m.Name {
		case "enabled":
			if on, ok := ordjson.Bool(m.Value); ok {
				on = !on
				cfg.DisableAll, cfg.Switch = &on, switchPath
			}
		case "disabled":
			cfg.Disabled = append(cfg.Disabled, ordjson.Strings(m.Value)...)
		case "notifications": // whether the client shows running hooks
		default:
			bad = "hooksConfig has no setting " + strconv.Quote(m.Name)
		}
	}
	return bad
}

// maxTimeout is the longest timer of the client's runtime, in milliseconds.
const maxTimeout = math.MaxInt32

// milliseconds reads a timeout; a number in a text counts too.
func milliseconds(raw []byte) (ms float64, ok bool) {
	if s, isText := ordjson.String(raw); isText {
		raw = []byte(s)
	}
	ms, err := strconv.ParseFloat(string(raw), 64)
	return ms, err == nil
}

// readTimeout treats a value as the client does: one that isn't above 0, or is too large for its timer, ends the hook
// at once (observed 0.61.0).
func readTimeout(h *schema.Hook, raw []byte) string {
	switch ms, ok := milliseconds(raw); {
	case !ok: // the default applies
	case ms <= 0 || ms > maxTimeout:
		h.Timeout = 1
	default:
		h.Timeout = max(1, time.Duration(ms*float64(time.Millisecond)))
	}
	return ""
}

// writeTimeout stays within the range of the client's timer.
func writeTimeout(h *schema.Hook) []byte {
	if h.Timeout <= 0 {
		return nil
	}
	return strconv.AppendFloat(nil, min(float64(h.Timeout)/float64(time.Millisecond), maxTimeout), 'f', -1, 64)
}

// advise reports a timeout or a matcher that doesn't have its apparent effect.
func advise(p *family.Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	report := func(code schema.Code, path, msg, fix string) {
		d := p.Report(code, m, path, msg)
		d.Event, d.Fix, d.Severity = row.Native, fix, max(d.Severity, schema.Weaker)
	}

	handler, _ := ordjson.Members(m.Value, m.Off)
	raw, given := handler.Get("timeout")
	ms, isNumber := milliseconds(raw)
	switch path := h.Path + "/timeout"; {
	case given && !isNumber:
		p.Report(schema.CodeUnknownMember, m, path, "timeout isn't a number; the default applies")
	case given && (ms <= 0 || ms > maxTimeout):
		report(schema.CodeVoidHook, path, "timeout "+string(raw)+": the hook is killed before it can answer, and "+
			"the action proceeds",
			"write milliseconds, at most 2147483647")
	case given && ms < 1000:
		report(schema.CodeMilliseconds, path, "timeout "+string(raw)+" is milliseconds; a hook that takes longer is "+
			"killed and decides nothing",
			"multiply by 1000 if seconds were meant")
	}

	text := strings.TrimSpace(h.Matcher)
	_, err := matcher.Compile(matchers, text)
	switch path := h.Group.Path + "/matcher"; {
	case row.Match == schema.MatchField && text != "*" && strings.ContainsAny(text, `|,.*+?()[]^$\`):
		report(schema.CodeDeadMatcher, path, "on "+row.Native+" the matcher is compared as a whole, so "+
			strconv.Quote(text)+" never matches", "write one group for each value")
	case row.Match == schema.MatchTool && err != nil:
		report(schema.CodeDeadMatcher, path, err.Error(), "")
	}
}
