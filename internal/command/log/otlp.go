package log

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// The OTLP/JSON encoding of an ExportLogsServiceRequest (opentelemetry-proto 1.10.0), with the fields of a log. Numbers
// of 64 bits are strings, IDs are hexadecimal.
type (
	otlpRequest struct {
		Resources []otlpResource `json:"resourceLogs"`
	}
	otlpResource struct {
		Resource  otlpAttributes `json:"resource"`
		Scopes    []otlpScope    `json:"scopeLogs"`
		SchemaURL string         `json:"schemaUrl"`
	}
	otlpScope struct {
		Scope   otlpLibrary  `json:"scope"`
		Records []otlpRecord `json:"logRecords"`
	}
	otlpLibrary struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	otlpRecord struct {
		Time       string          `json:"timeUnixNano,omitempty"`
		Observed   string          `json:"observedTimeUnixNano,omitempty"`
		Severity   int             `json:"severityNumber"`
		Word       string          `json:"severityText"`
		Name       string          `json:"eventName"`
		Body       otlpValue       `json:"body"`
		Attributes []otlpAttribute `json:"attributes"`
		Trace      string          `json:"traceId,omitempty"`
		Span       string          `json:"spanId,omitempty"`
		Flags      uint64          `json:"flags,omitempty"`
	}
	otlpAttributes struct {
		List []otlpAttribute `json:"attributes"`
	}
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpValue struct {
		Text   *string    `json:"stringValue,omitempty"`
		Yes    *bool      `json:"boolValue,omitempty"`
		Number *float64   `json:"doubleValue,omitempty"`
		Whole  string     `json:"intValue,omitempty"`
		Array  *otlpList  `json:"arrayValue,omitempty"`
		Object *otlpPairs `json:"kvlistValue,omitempty"`
	}
	otlpList struct {
		Values []otlpValue `json:"values"`
	}
	otlpPairs struct {
		Values []otlpAttribute `json:"values"`
	}
)

// conventions are the semantic conventions that define the names gen_ai.*; they are in development. The names
// hookbridge.* are defined here, because the conventions have none for a decision.
const conventions = "https://opentelemetry.io/schemas/1.41.0"

func otlpText(s string) otlpValue     { return otlpValue{Text: &s} }
func otlpYes(yes bool) otlpValue      { return otlpValue{Yes: &yes} }
func otlpWhole(n int) otlpValue       { return otlpValue{Whole: strconv.Itoa(n)} }
func otlpAll(v []otlpValue) otlpValue { return otlpValue{Array: &otlpList{v}} }

// otlpSeconds returns a duration in the unit of the conventions, rounded to microseconds.
func otlpSeconds(ms float64) otlpValue {
	s := math.Round(ms*1000) / 1e6
	return otlpValue{Number: &s}
}

// texts returns attributes from pairs of names and texts. It leaves out those without a text.
func texts(pairs ...string) (list []otlpAttribute) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			list = append(list, otlpAttribute{pairs[i], otlpText(pairs[i+1])})
		}
	}
	return list
}

// otlpOf converts the record into a request with one LogRecord.
func otlpOf(r *common.LogRecord, resource []otlpAttribute) otlpRequest {
	x := otlpRecord{Severity: 9, Word: "INFO", Name: "hookbridge.call", Attributes: recordAttributes(r)}
	switch {
	case r.Failed:
		x.Severity, x.Word = 17, "ERROR"
	case r.Decision == schema.Deny.String():
		x.Severity, x.Word = 13, "WARN"
	}
	if t, err := time.Parse(time.RFC3339Nano, r.Time); err == nil {
		x.Time = strconv.FormatInt(t.UnixNano(), 10)
		x.Observed = strconv.FormatInt(t.Add(time.Duration(r.MS*float64(time.Millisecond))).UnixNano(), 10)
	}
	x.Body = otlpText(r.What() + ": " + r.Outcome())
	x.Trace, x.Span, x.Flags = traceOf(r.Trace)
	scope := otlpScope{otlpLibrary{"github.com/hookbridge/hookbridge", cli.VersionText()}, []otlpRecord{x}}
	return otlpRequest{[]otlpResource{{otlpAttributes{resource}, []otlpScope{scope}, conventions}}}
}

func recordAttributes(r *common.LogRecord) []otlpAttribute {
	list := texts("gen_ai.conversation.id", r.Session)
	if event := canonicalOf(r); event.IsTool() {
		list = append(list, texts("gen_ai.operation.name", "execute_tool",
			"gen_ai.tool.name", r.Tool, "gen_ai.tool.call.id", r.CallID)...)
	}

	list = append(list, texts("hookbridge.agent", r.Host, "hookbridge.agent.version", r.Version,
		"hookbridge.event", r.Event, "hookbridge.project", r.Project, "hookbridge.hooks_of", r.HooksOf,
		"hookbridge.decision", cmp.Or(r.Decision, "none"), "hookbridge.reason", r.Reason,
		"hookbridge.effects", r.Effects)...)
	list = append(list, texts("hookbridge.agent.checked_version", unseenOf(r))...)
	list = append(list, otlpAttribute{"hookbridge.duration", otlpSeconds(r.MS)})
	if len(r.Findings) > 0 {
		codes := lists.Map(r.Findings, func(f common.LogFinding) otlpValue { return otlpText(string(f.Code)) })
		list = append(list, otlpAttribute{"hookbridge.reason.codes", otlpAll(codes)})
	}

	decided := func(h *common.LogHook) bool { return h.Decision == r.Decision && r.Decision != "none" }
	if h := lists.Find(r.Hooks, decided); h != nil {
		list = append(list, texts("hookbridge.hook", hookName(h))...)
	}
	if len(r.Hooks) > 0 {
		list = append(list, otlpAttribute{"hookbridge.hooks", otlpAll(lists.Map(r.Hooks, hookValue))})
	}

	if r.Failed {
		why := lists.Find(r.Findings, func(f *common.LogFinding) bool { return f.Severity == schema.Error.String() })
		list = append(list, texts("error.type", string(cmp.Or(why, &common.LogFinding{Code: "_OTHER"}).Code))...)
	}

	return list
}

// unseenOf returns the newest version of the agent that hookbridge was checked with, if the record's version is newer;
// otherwise, or if a version isn't known, "".
func unseenOf(r *common.LogRecord) string {
	d, err := adapter.Find(r.Host)
	if err != nil || r.Version == "" {
		return ""
	}
	p := d.Profile()
	newest := append([]string{p.Newest}, p.Known...)
	if g := p.ProgramOf(r.Version); g != nil && g.Version != "" {
		newest = []string{g.Version}
	}
	if v := slices.MaxFunc(newest, schema.CompareVersions); v != "" && schema.CompareVersions(r.Version, v) > 0 {
		return v
	}
	return ""
}

// canonicalOf returns the event of the record, or 0 if no dialect has an event with its name.
func canonicalOf(r *common.LogRecord) schema.Event {
	d, err := adapter.Find(r.Host)
	if err != nil {
		return 0
	}
	if row := d.Profile().Row(r.Event); row != nil {
		return row.Event
	}
	return 0
}

func hookValue(h common.LogHook) otlpValue {
	list := texts("event", h.Event, "tool", h.Tool, "handler", h.Handler, "command", h.Command,
		"file", h.File, "path", h.Path, "decision", h.Decision, "reason", h.Reason, "effects", h.Effects,
		"signal", h.Signal)
	list = append(list, otlpAttribute{"line", otlpWhole(h.Line)}, otlpAttribute{"exit_code", otlpWhole(h.Exit)},
		otlpAttribute{"timed_out", otlpYes(h.TimedOut)}, otlpAttribute{"duration", otlpSeconds(h.MS)})
	return otlpValue{Object: &otlpPairs{list}}
}

// traceOf reads a traceparent (W3C Trace Context, level 1), and leaves out an invalid one.
func traceOf(parent string) (trace, span string, flags uint64) {
	f := strings.Split(parent, "-")
	if len(f) < 4 || f[0] == "ff" || f[0] == "00" && len(f) > 4 || strings.ToLower(parent) != parent {
		return "", "", 0
	}
	for i, size := range []int{2, 32, 16, 2} {
		if _, err := hex.DecodeString(f[i]); err != nil || len(f[i]) != size {
			return "", "", 0
		}
	}
	if strings.Trim(f[1], "0") == "" || strings.Trim(f[2], "0") == "" {
		return "", "", 0
	}
	flags, _ = strconv.ParseUint(f[3], 16, 8)
	return f[1], f[2], flags
}

// resourceOf returns the attributes of the machine from OpenTelemetry's own variables OTEL_RESOURCE_ATTRIBUTES and
// OTEL_SERVICE_NAME.
func resourceOf(environ []string) []otlpAttribute {
	env := schema.Environ(environ)
	list := texts("service.name", cmp.Or(env.Get("OTEL_SERVICE_NAME"), "hookbridge"))
	for _, pair := range strings.Split(env.Get("OTEL_RESOURCE_ATTRIBUTES"), ",") {
		name, value, _ := strings.Cut(pair, "=")
		if name = strings.TrimSpace(name); name != "service.name" {
			list = append(list, texts(name, unescaped(strings.TrimSpace(value)))...)
		}
	}
	return list
}

// unescaped decodes percent signs before two hexadecimal digits. It leaves everything else as it is.
func unescaped(s string) string {
	head, rest, found := strings.Cut(s, "%")
	if !found {
		return s
	}
	if b, err := hex.DecodeString(rest[:min(2, len(rest))]); err == nil && len(b) == 1 {
		return head + string(b) + unescaped(rest[2:])
	}
	return head + "%" + unescaped(rest)
}
