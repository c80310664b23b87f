package conformance

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// An entry is one hook in a configuration.
type entry struct {
	event, matcher string
	command        string
	timeout        string // seconds, "" if none is written
	members        string // further fields of the handler, as JSON without braces
	group          string // further fields of its group
	handler        string // the whole handler instead of a command
}

// document returns a configuration with the entries, in order, one array per event.
func document(dialect string, entries ...entry) string {
	if text, ok := ownDocument(dialect, entries); ok && len(entries) > 0 {
		return text
	}
	var events []string
	byEvent := map[string][]string{}
	for _, e := range entries {
		if byEvent[e.event] == nil {
			events = append(events, e.event)
		}
		byEvent[e.event] = append(byEvent[e.event], e.json(dialect))
	}
	var pairs []string
	for _, e := range events {
		pairs = append(pairs, e, "["+strings.Join(byEvent[e], ",")+"]")
	}
	if plain(dialect) == sdk { // the settings that the SDK passes on
		return object("settings", object("hooks", object(pairs...)))
	}
	if plain(dialect) == "cursor" || plain(dialect) == "copilot" {
		return object("version", "1", "hooks", object(pairs...))
	}
	return object("hooks", object(pairs...))
}

func (e entry) json(dialect string) string {
	matcher := ""
	if e.matcher != "" {
		matcher = quote(e.matcher)
	}
	if plain(dialect) == "cursor" {
		if e.handler != "" {
			return joined(e.handler, object("matcher", matcher, "timeout", e.timeout))
		}
		return joined(object("command", quote(e.command), "matcher", matcher, "timeout", e.timeout), "{"+e.members+"}")
	}
	if plain(dialect) == "copilot" {
		return e.copilot(matcher)
	}
	handler := e.handler
	if handler == "" {
		handler = object("type", `"command"`, "command", quote(e.command), "timeout", limit(dialect, e.timeout))
	}
	if alone(dialect, e.event) {
		return joined(handler, "{"+e.members+"}")
	}
	return joined(object("matcher", matcher),
		joined("{"+e.group+"}", object("hooks", "["+joined(handler, "{"+e.members+"}")+"]")))
}

// alone reports whether an event's handlers are outside of groups.
func alone(dialect, event string) bool {
	return plain(dialect) == "antigravity" && !strings.HasSuffix(event, "ToolUse")
}

// path returns the place of the i-th entry of an event.
func path(dialect, event string, i int) string {
	p := "/hooks/" + event + "/" + strconv.Itoa(i)
	if plain(dialect) == sdk {
		p = "/settings" + p
	}
	if alone(dialect, event) {
		return p
	}
	switch plain(dialect) {
	case "cursor", "copilot", "omp", "opencode", "pi", "cline":
		return p
	case "kimi":
		return "/hooks/" + strconv.Itoa(i)
	case "droid":
		p = strings.TrimPrefix(p, "/hooks")
	}
	return p + "/hooks/0"
}

// seconds returns the default timeout of a command.
func seconds(dialect, native string) string {
	switch {
	case plain(dialect) == "cursor":
		return "60"
	case native == "SessionEnd":
		return "1.5"
	case plain(dialect) == "claude" && native == "UserPromptSubmit":
		return "30"
	case plain(dialect) == "claude" && native == "MessageDisplay":
		return "10"
	}
	return "600"
}

// limit returns a timeout in the unit of a dialect.
func limit(dialect, seconds string) string {
	if n, err := strconv.ParseFloat(seconds, 64); err == nil && plain(dialect) == "gemini" {
		return strconv.FormatFloat(n*1000, 'f', -1, 64)
	}
	return seconds
}

// through returns the command with which hookbridge runs a hook.
func through(from, to, event, flags string) string {
	return "hookbridge run --host " + to + " --hooks " + from + " --event " + event + flags + " -c ./hook.sh"
}

// A stand is where hooks of an event go in another agent, with a matcher if the event there covers more.
type stand struct{ event, matcher string }

// afterMCP is the event at which Cursor accepts context about MCP tool calls, and reports their failure.
var afterMCP = stand{"postToolUse", "^MCP:.*$"}

// stands lists the events, unless it is just the one with the same meaning, by "from event to". In Cursor, a failed
// command is followed by the same gate event as any other; the others have a separate event for it. A failed stop is a
// stop with a status in Cursor.
var stands = map[string][]stand{
	"cursor beforeShellExecution claude": {{"PreToolUse", "Bash|PowerShell"}},
	"cursor beforeShellExecution qoder":  {{"PreToolUse", "^(?:Bash|Monitor)$"}},
	"cursor afterShellExecution claude": {{"PostToolUse", "Bash|PowerShell"},
		{"PostToolUseFailure", "Bash|PowerShell"}},
	"cursor afterShellExecution qoder": {{"PostToolUse", "^(?:Bash)$"}, {"PostToolUseFailure", "^(?:Bash)$"}},
	"cursor beforeMCPExecution claude": {{"PreToolUse", "^(?:mcp__.*__.*)$"}},
	"cursor beforeMCPExecution qoder":  {{"PreToolUse", "^(?:mcp__.*__.*)$"}},
	"cursor afterMCPExecution claude": {{"PostToolUse", "^(?:mcp__.*__.*)$"},
		{"PostToolUseFailure", "^(?:mcp__.*__.*)$"}},
	"cursor afterMCPExecution qoder": {{"PostToolUse", "^(?:mcp__.*__.*)$"},
		{"PostToolUseFailure", "^(?:mcp__.*__.*)$"}},
	"cursor beforeReadFile claude":     {{"PreToolUse", "Read"}},
	"cursor beforeReadFile qoder":      {{"PreToolUse", "^(?:Read)$"}},
	"cursor afterFileEdit claude":      {{"PostToolUse", "Write|Edit|MultiEdit|NotebookEdit"}},
	"cursor afterFileEdit qoder":       {{"PostToolUse", "^(?:Write|Edit|NotebookEdit|edit_file)$"}},
	"cursor subagentStart claude":      {{"PreToolUse", "Agent"}},
	"cursor subagentStart qoder":       {{"PreToolUse", "^(?:Agent|task)$"}},
	"cursor postToolUse claude":        {{"PostToolUse", ""}, {"PostToolUseFailure", "^(?:mcp__.*__.*)$"}},
	"cursor postToolUse qoder":         {{"PostToolUse", ""}, {"PostToolUseFailure", "^(?:mcp__.*__.*)$"}},
	"cursor postToolUseFailure claude": {{"PostToolUseFailure", ""}, {"PermissionDenied", ""}},
	"cursor postToolUseFailure qoder":  {{"PostToolUseFailure", ""}, {"PermissionDenied", ""}},
	// denies a refused session
	"cursor sessionStart claude":       {{"SessionStart", ""}, {"UserPromptSubmit", ""}},
	"cursor sessionStart qoder":        {{"SessionStart", ""}, {"UserPromptSubmit", ""}},
	"cursor stop claude":               {{"Stop", ""}, {"StopFailure", ""}},
	"cursor stop qoder":                {{"Stop", ""}, {"StopFailure", ""}},
	"claude PostToolUse cursor":        {{"postToolUse", ""}, {"afterFileEdit", ""}},
	"qoder PostToolUse cursor":         {{"postToolUse", ""}, {"afterFileEdit", ""}},
	"claude Stop cursor":               {{"stop", ""}, {"afterAgentResponse", ""}},
	"qoder Stop cursor":                {{"stop", ""}, {"afterAgentResponse", ""}},
	"claude PreToolUse cursor":         {{"preToolUse", "^(?!MCP:)"}, {"beforeMCPExecution", ""}, afterMCP},
	"qoder PreToolUse cursor":          {{"preToolUse", "^(?!MCP:)"}, {"beforeMCPExecution", ""}, afterMCP},
	"claude PostToolUseFailure cursor": {{"postToolUseFailure", ""}, afterMCP},
	"qoder PostToolUseFailure cursor":  {{"postToolUseFailure", ""}, afterMCP},
	"claude PermissionDenied cursor":   {{"postToolUseFailure", ""}},
	"qoder PermissionDenied cursor":    {{"postToolUseFailure", ""}},
	"claude StopFailure cursor":        {{"stop", ""}},
	"qoder StopFailure cursor":         {{"stop", ""}},
}

func standsOf(from, to string, row *schema.EventRow) []stand {
	if list := slices.Clone(stands[words(from)+" "+row.Native+" "+words(to)]); list != nil {
		for i := range list {
			list[i].matcher = programMatcher(to, list[i].matcher)
		}
		return list
	}
	if list := hostStands(from, row.Native, to); list != nil {
		return list
	}
	if row.Inline() {
		return nil
	}
	if other := counterpart(from, row, dialect(to)); other != nil {
		return []stand{{other.Native, ""}}
	}
	return nil
}

// programMatcher removes the names of the IDE's tools, whose matchers accept no others, if the IDE doesn't read the
// settings too.
func programMatcher(to, matcher string) string {
	if plain(to) == sdk {
		return strings.NewReplacer("|delete_file", "", "|edit_file", "", "|task", "").Replace(matcher)
	}
	return matcher
}

func madeConfigs() (all []made) {
	for _, from := range suite {
		for _, to := range suite {
			if from != to {
				rows := dialect(from).Profile().Events
				for i := range rows {
					all = append(all, eventConfig(from, to, &rows[i]))
				}
				all = append(all, toolConfigs(from, to)...)
			}
		}
		all = append(all, memberConfigs(from)...)
	}
	return all
}

// eventConfig returns a hook on one event, which hookbridge runs under another agent.
func eventConfig(from, to string, row *schema.EventRow) made {
	m := made{id: "config/" + pairOf(from, to) + "/event-" + kebab(row.Native), from: from, to: to,
		why:   "A hook on " + row.Native + " runs under the host wherever it has the same event.",
		input: document(from, entry{event: row.Native, command: "./hook.sh"})}
	m.source = source(from, row, to, nil) + "; time limit of a command there: " + seconds(from, row.Native) + " s"
	var out []entry
	for _, s := range standsOf(from, to, row) {
		e := entry{event: s.event, matcher: s.matcher, command: through(from, to, row.Native, ""),
			timeout: seconds(from, row.Native)}
		// hookbridge counts by the rule of the hooks' own agent
		if stops := row.Event == schema.Stop || row.Event == schema.SubagentStop; stops &&
			dialect(to).Profile().Name == "cursor" {
			e.members = `"loop_limit":null`
		}
		out = append(out, e)
	}
	if out == nil {
		m.why = "The host has no event for a hook on " + row.Native + ", which is reported."
		severity := schema.Loss
		if row.Blocks != 0 || row.Event == schema.PermissionRequest { // it may have been a guard
			severity = schema.Weaker
		}
		m.findings = []Finding{{string(schema.CodeNoEvent), severity.String(), path(from, row.Native, 0)}}
	} else if code := blockLost(to, row.Event); code != "" && row.Blocks|row.Honors&schema.EffectDeny != 0 {
		severity := schema.Weaker
		if code == schema.CodeEndTurn && plain(to) != "copilot" { // its prompts are denied
			severity = schema.Note
		}
		m.findings = []Finding{{string(code), severity.String(), path(from, row.Native, 0)}}
	}
	if out != nil && row.Native == "postToolUseFailure" { // Cursor raises it for denied calls too
		m.findings = []Finding{{string(schema.CodeFewerCalls), schema.Loss.String(), path(from, row.Native, 0)}}
	}
	if out != nil {
		m.findings = append(m.findings, momentFindings(from, row, to)...)
	}
	if isHost(to) && out != nil {
		m.findings = append(m.findings, hostFindings(from, row, to)...)
	}
	m.output = document(to, out...)
	return m
}

// momentFindings are about an event that a host raises more often than the hook's agent, only at some moments, or while
// its user can already answer.
func momentFindings(from string, row *schema.EventRow, to string) []Finding {
	for _, x := range []struct {
		host     string
		event    schema.Event
		code     schema.Code
		severity schema.Severity
	}{
		{"claude", schema.SubagentStop, schema.CodeMoreCalls, schema.Note}, // of the agent that compacts
		{"qoder", schema.SessionEnd, schema.CodeMoreCalls, schema.Loss},
		{"qoder", schema.PermissionRequest, schema.CodeNotAwaited, schema.Weaker},
		{"qoder", schema.PermissionDenied, schema.CodeFewerCalls, schema.Loss},
		{"gemini", schema.SessionEnd, schema.CodeMoreCalls, schema.Loss},
		{"gemini", schema.PostModel, schema.CodeMoreCalls, schema.Loss},
		{"gemini", schema.SessionStart, schema.CodeWayLacks, schema.Loss}, // over a protocol
		{"copilot", schema.StopFailure, schema.CodeMoreCalls, schema.Loss},
	} {
		if words(to) == x.host && row.Event == x.event {
			return []Finding{{string(x.code), x.severity.String(), path(from, row.Native, 0)}}
		}
	}
	return nil
}

// blockLost returns the code for a block that an agent doesn't honor on an event, or not for every call; "" if it does.
func blockLost(to string, e schema.Event) schema.Code {
	switch cursor := plain(to) == "cursor"; {
	case e == schema.PermissionRequest: // the agent's rules decide whether to ask
		return schema.CodeFewerCalls
	case cursor && (e == schema.PromptSubmit || e == schema.PreCompact): // of the SDK
		return schema.CodeDenyLost
	case plain(to) == "codex":
		return ""
	case isHost(to) && e == schema.PreCompact:
		return schema.CodeDenyLost
	case !cursor && e == schema.SessionStart:
		return schema.CodeEndTurn
	}
	return ""
}

// toolWords are the required matchers for a kind of tool: they must select exactly these tools, whatever the agent's
// matchers are like.
var toolWords = []struct{ name, claude, cursor, qoder string }{
	{"shell", "Bash", "^(?:Shell|Delete)$", "^(?:Bash|delete_file)$"},
	{"read", "Read", "^Read$", "^(?:Read)$"},
	{"write", "Write", "^Write$", "^(?:Write)$"},
	{"grep", "Grep", "^Grep$", "^(?:Grep)$"},
	{"fetch", "WebFetch", "^(?:Fetch|WebFetch)$", "^(?:WebFetch)$"},
	{"web-search", "WebSearch", "^WebSearch$", "^(?:WebSearch)$"},
	{"agent", "Agent", "^Task$", "^(?:Agent|task)$"},
	{"glob", "Glob", "^Glob$", "^(?:Glob)$"},
	{"two", "Bash|Read", "^(?:Shell|Delete|Read)$", "^(?:Bash|delete_file|Read)$"},
}

func toolConfigs(from, to string) (all []made) {
	if plain(from) != "claude" { // other agents' matchers match anywhere: vectors are written by hand
		return nil
	}
	for _, w := range toolWords {
		m := made{id: "config/" + pairOf(from, to) + "/matcher-" + w.name, from: from, to: to,
			why: "A matcher selects the same tools, no more and no fewer, under a host with another kind of matchers.",
			source: "claude: a plain name is exact (observed 2.1.328); " + plain(to) +
				": a matcher is a JavaScript expression, not anchored (observed " +
				strings.TrimPrefix(to, plain(to)+"@") + ")",
			input: document(from, entry{event: "PostToolUse", matcher: w.claude, command: "./hook.sh"})}
		event, matcher := "postToolUse", w.cursor
		if words(to) == "qoder" {
			event, matcher = "PostToolUse", programMatcher(to, w.qoder)
		}
		flags := " --matcher " + w.claude
		if strings.Contains(w.claude, "|") {
			flags = " --matcher '" + w.claude + "'"
		}
		command := through(from, to, "PostToolUse", flags)
		if isHost(to) {
			hostMatcher(&m, w.name, w.claude, command)
		} else {
			m.output = document(to, entry{event: event, matcher: matcher, command: command, timeout: "600"})
		}
		all = append(all, m)
	}
	return all
}

// A memberWord is a field of a handler in each agent's form, as JSON without braces; "" if it has none. event is where
// it counts.
type memberWord struct {
	name                  string
	event                 string // canonical
	claude, cursor, qoder string
	feature               schema.Feature
	flag                  string          // hookbridge's flag for it if the hook is wrapped
	severity              schema.Severity // of its loss if the hook is copied; 0: Loss
}

var memberWords = []memberWord{
	{name: "timeout", claude: `"timeout":7`, cursor: `"timeout":7`, qoder: `"timeout":7`, feature: schema.HookTimeout},
	{name: "fraction", claude: `"timeout":0.5`, cursor: `"timeout":0.5`, qoder: `"timeout":0.5`,
		feature: schema.HookTimeout},
	{name: "condition", claude: `"if":"Bash(git *)"`, qoder: `"if":"Bash(git *)"`, feature: schema.HookCondition,
		flag: " --if 'Bash(git *)'", severity: schema.Weaker},
	{name: "async", claude: `"async":true`, qoder: `"async":true`, feature: schema.HookAsync, flag: " --async yes"},
	{name: "rewake", claude: `"asyncRewake":true`, qoder: `"asyncRewake":true`, feature: schema.HookRewake,
		flag: " --async rewake"},
	{name: "shell", claude: `"shell":"bash"`, qoder: `"shell":"bash"`, feature: schema.HookShell,
		flag: " --shell bash"},
	{name: "status", claude: `"statusMessage":"checking"`, qoder: `"statusMessage":"checking"`,
		feature: schema.HookStatus, severity: schema.Note},
	{name: "fail-closed", claude: `"onFailure":"block"`, cursor: `"failClosed":true`, feature: schema.HookFailPolicy,
		severity: schema.Weaker},
	{name: "fail-open", claude: `"onFailure":"continue"`, feature: schema.HookFailPolicy, severity: schema.Weaker,
		flag: " --on-failure continue"},
	{name: "loop-limit", event: "stop", cursor: `"loop_limit":3`, feature: schema.HookLoopLimit,
		flag: " --loop-limit 3"},
	{name: "no-loop-limit", event: "stop", cursor: `"loop_limit":null`, feature: schema.HookLoopLimit,
		flag: " --loop-limit -1", severity: schema.Note},
}

// words returns the name of the field for a sentence.
func (w *memberWord) words() string {
	for _, name := range [][2]string{{"fraction", "fractional timeout"}, {"async", "background run"},
		{"rewake", "wake-up after a background run"}, {"status", "status message"}, {"fail-closed", "fail policy"},
		{"fail-open", "fail policy"}, {"loop-limit", "loop limit"}, {"no-loop-limit", "unlimited loop"}} {
		if name[0] == w.name {
			return name[1]
		}
	}
	return w.name
}

func (w *memberWord) of(dialect string) string {
	switch plain(dialect) {
	case "claude":
		return w.claude
	case "cursor":
		return w.cursor
	}
	return w.qoder
}

// eventWord returns the event of the field's hook.
func (w *memberWord) eventWord(dialect string) string {
	if w.event == "stop" {
		return map[string]string{"claude": "Stop", "cursor": "stop", "qoder": "Stop"}[plain(dialect)]
	}
	return map[string]string{"claude": "PostToolUse", "cursor": "postToolUse", "qoder": "PostToolUse"}[plain(dialect)]
}

// memberConfigs returns hooks with one further field, copied and wrapped.
func memberConfigs(from string) (all []made) {
	for i := range memberWords {
		w := &memberWords[i]
		if w.of(from) == "" {
			continue
		}
		for _, to := range suite {
			if to != from {
				all = append(all, w.copied(from, to), w.wrapped(from, to))
			}
		}
	}
	return all
}

func (w *memberWord) copied(from, to string) made {
	m := made{id: "config/" + pairOf(from, to) + "/copied-" + w.name, from: from, to: to, options: `{"wrap":"never"}`,
		why:    "A copied hook keeps its " + w.words() + ", or the loss is reported.",
		source: "facts of handlers: " + from + ", " + to,
		input:  document(from, entry{event: w.eventWord(from), command: "./hook.sh", members: w.of(from)})}
	e := entry{event: w.eventWord(to), command: copiedPath(from, to), members: w.of(to)}
	if w.feature != schema.HookTimeout && seconds(from, w.eventWord(from)) != seconds(to, w.eventWord(to)) {
		e.timeout = seconds(from, w.eventWord(from)) // the defaults differ
	}
	guard := schema.Weaker
	if plain(from) == "cursor" && w.event != "stop" { // its hooks after a tool can't block
		guard = schema.Loss
	}
	at := path(from, w.eventWord(from), 0)
	m.findings = append(w.capped(from, to), Finding{string(schema.CodeForeignImport), guard.String(), at})
	if w.of(to) == "" && !(w.name == "fail-open" && plain(to) == "cursor") { // its commands fail open anyway
		severity := w.severity
		if severity == 0 {
			severity = schema.Loss
		}
		m.findings = append(m.findings, Finding{string(schema.CodeNoFeature), severity.String(),
			path(from, w.eventWord(from), 0) + "/" + w.ownMember(from)})
	}
	m.output = document(to, e)
	return m
}

// capped returns the finding for a hook without a limit if the target's stop hooks have one: 8 blocks in a row in
// Claude Code (observed 2.1.328).
func (w *memberWord) capped(from, to string) []Finding {
	if w.name != "no-loop-limit" || plain(to) != "claude" {
		return nil
	}
	return []Finding{{string(schema.CodeKeepGoLost), schema.Weaker.String(), path(from, w.eventWord(from), 0)}}
}

// copiedPath returns ./hook.sh of a project's hook: Cursor starts it in the project, the others in the agent's current
// folder.
func copiedPath(from, to string) string {
	switch plain(to) {
	case plain(from), "cursor":
		return "./hook.sh"
	case "claude":
		if plain(from) == "cursor" {
			return `"${CLAUDE_PROJECT_DIR}"/hook.sh`
		}
	case "qoder":
		if plain(from) == "cursor" {
			return `"${QODER_PROJECT_DIR}"/hook.sh`
		}
	}
	return "./hook.sh"
}

// ownMember returns the field's name in one dialect.
func (w *memberWord) ownMember(dialect string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(w.of(dialect), `"`), `"`)
	return name
}

func (w *memberWord) wrapped(from, to string) made {
	m := made{id: "config/" + pairOf(from, to) + "/wrapped-" + w.name, from: from, to: to,
		why:      "A hook that runs by hookbridge keeps its " + w.words() + ", in the entry or on its command line.",
		source:   "facts of handlers: " + from + ", " + to,
		input:    document(from, entry{event: w.eventWord(from), command: "./hook.sh", members: w.of(from)}),
		findings: w.capped(from, to)}
	flags, limit, members := w.flag, seconds(from, w.eventWord(from)), ""
	switch {
	case w.feature == schema.HookTimeout:
		limit = strings.TrimPrefix(w.of(from), `"timeout":`)
	case w.name == "fail-closed": // hookbridge must outlive the hook to deny
		n, _ := strconv.Atoi(limit)
		flags, limit = " --timeout "+limit+" --on-failure block --fail-closed", strconv.Itoa(n+5)
		members = w.of(to)
	case w.feature == schema.HookStatus:
		if members = w.of(to); members == "" {
			m.findings = []Finding{{string(schema.CodeNoFeature), w.severity.String(),
				path(from, w.eventWord(from), 0) + "/" + w.ownMember(from)}}
		}
	case w.name == "fail-open":
		members = w.of(to)
	}
	var out []entry
	for _, s := range standsOf(from, to, rowNamed(from, w.eventWord(from))) {
		e := entry{event: s.event, matcher: s.matcher, command: through(from, to, w.eventWord(from), flags),
			timeout: limit, members: members}
		if plain(to) == "cursor" && w.event == "stop" {
			e.members = `"loop_limit":null`
		}
		out = append(out, e)
	}
	m.output = document(to, out...)
	return m
}

func rowNamed(from, native string) *schema.EventRow {
	rows := dialect(from).Profile().Events
	for i := range rows {
		if rows[i].Native == native {
			return &rows[i]
		}
	}
	panic("no event " + native)
}
