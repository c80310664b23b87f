package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// valid NAME FILE: the file satisfies the JSON Schema NAME. valid -l NAME FILE: each of its lines does. FILE may be
// stdout or stderr.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	lines := args[0] == "-l"
	if lines {
		args = args[1:]
	}
	text := []byte(ts.ReadFile(args[1]))
	parts := [][]byte{text}
	if lines {
		parts = bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		ts.Fatalf("%s is empty", args[1])
	}
	for _, p := range parts {
		if err := schematest.ValidFor(args[0], p); (err == nil) == neg {
			ts.Fatalf("%s: %v", p, err)
		}
	}
}

// TestDocuments checks that every embedded schema is valid, in each surface and at each version that changes it, and
// that every dialect has its three.
func TestDocuments(t *testing.T) {
	marked := regexp.MustCompile(`"x-(?:since|until)": "([^"]+)"`)
	for _, name := range schema.Documents() {
		text, err := schema.Document(name, "")
		if err != nil {
			t.Fatal(err)
		}
		schematest.Compile(t, text, "")
		versions := map[string]bool{}
		for _, m := range marked.FindAllSubmatch(text, -1) {
			versions[strings.TrimPrefix(string(m[1]), schema.AtMost)] = true
		}
		if bytes.Contains(text, []byte(`"x-surfaces"`)) {
			versions = map[string]bool{"cli": true, "ide": true, "qoderwork": true, "sdk": true, "1.1.52": true}
		}
		for v := range versions {
			dated, err := schema.Document(name, v)
			if err != nil || len(dated) > len(text) {
				t.Errorf("%s@%s: %v", name, v, err)
				continue
			}
			schematest.Compile(t, dated, "")
		}
	}
	for _, d := range adapter.Dialects() {
		for _, what := range []string{"config", "payload", "answer"} {
			// callbacks in the host's own process have no files
			if _, err := schema.Document(d.Profile().Name+"-"+what, ""); err != nil && d.Profile().Name != "qoder-sdk" {
				t.Error(err)
			}
		}
	}
}

// TestDocumentVersions checks what a schema leaves out at some versions.
func TestDocumentVersions(t *testing.T) {
	for _, tt := range []struct {
		name, document string
		valid          bool
	}{
		{"claude-config", `{"hooks":{"PostCompact":[]}}`, true},
		{"claude-config@2.1.75", `{"hooks":{"PostCompact":[]}}`, false},
		{"claude-config@2.1.76", `{"hooks":{"PostCompact":[]}}`, true},
		// this version doesn't read it yet
		{"claude-answer@2.0.9", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":1}}`, true},
		{"claude-answer@2.0.10", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":1}}`, false},
		{"cursor-config@2.3", `{"version":1,"hooks":{"preToolUse":[]}}`, false},
		{"cursor-config@2.4", `{"version":1,"hooks":{"preToolUse":[]}}`, true},
		{"cursor-config@1.0.32", `{"version":1,"hooks":{"preToolUse":[]}}`, true}, // the SDK
		{"cursor-payload@2026.09.10-fd3934a", `{"conversation_id":"c","hook_event_name":"workspaceOpen"}`, true},
		{"cursor-payload@2.5.25", `{"conversation_id":"c","hook_event_name":"workspaceOpen"}`, false},
		{"qoder-config@1.1.52", `{"hooks":{"Notification":[]}}`, true},
		{"qoder-config@qoderwork", `{"hooks":{"Setup":[]}}`, false},
		{"qoder-payload@ide", `{"session_id":"s","hook_event_name":"PostCompact"}`, false},
		{"qoder-payload@sdk", `{"session_id":"s","hook_event_name":"PostCompact"}`, true},
	} {
		if err := schematest.ValidFor(tt.name, []byte(tt.document)); (err == nil) != tt.valid {
			t.Errorf("%s %s: %v", tt.name, tt.document, err)
		}
	}
}

// TestReportSchemaMatrix validates the JSON form of the tables against its schema.
func TestReportSchemaMatrix(t *testing.T) {
	if err := schematest.ValidFor("matrix-report", []byte(matrixOf(t, "--format", "json"))); err != nil {
		t.Error(err)
	}
}
