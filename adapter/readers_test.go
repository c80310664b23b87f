package adapter_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestReaders compares which hook files add a guard with the clients. testdata/readers.json has the bytes of each file
// as characters up to U+00FF, and whether the guard ran (observed Claude Code 2.1.328, Cursor SDK 1.0.32, Codex
// 0.169.0, Copilot 1.0.102, Gemini CLI 0.61.0, Grok Build 1.0.41, Qwen Code 0.24.4, Droid 0.225.2, Kimi Code 2.1.0,
// CodeBuddy Code 2.117.0).
func TestReaders(t *testing.T) {
	text, err := os.ReadFile("testdata/readers.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Agent, File, Form, Text string
		Runs                    bool
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		d, err := adapter.Find(row.Agent)
		if err != nil {
			t.Fatal(err)
		}
		file := make([]byte, 0, len(row.Text))
		for _, r := range row.Text {
			file = append(file, byte(r))
		}
		cfg, ds := d.ParseConfig(file, schema.Source{File: row.File, Scope: schema.ScopeProject})
		cfg = cfg.AsKnown()
		runs := cfg != nil && ds.Max() < schema.Error && slices.ContainsFunc(cfg.Hooks, func(h schema.Hook) bool {
			return h.Command == "./guard g" && h.Event == schema.PreTool
		})
		if runs != row.Runs {
			t.Errorf("%s, %s: the guard runs: %v, in the client %v\n%.300s\n%v", row.Agent, row.Form, runs, row.Runs,
				file, ds)
		}
	}
}
