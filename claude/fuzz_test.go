package claude

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// FuzzDecodeCall checks that a payload that was written once is always written the same way.
func FuzzDecodeCall(f *testing.F) {
	for _, s := range callTests {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, ds := New().DecodeCall(text, nil)
		if c == nil {
			if ds.Max() != schema.Error {
				t.Fatalf("no call and no error: %v", findings(ds))
			}
			return
		}
		once := again(t, text)
		if !json.Valid(once) {
			t.Fatalf("%s", once)
		}
		if twice := again(t, once); string(twice) != string(once) {
			t.Fatalf("once  %s\ntwice %s", once, twice)
		}
	})
}

// FuzzDecodeReply checks that exit code 2 denies, and that a written answer has the meaning of the one that was read.
func FuzzDecodeReply(f *testing.F) {
	for _, tt := range replyTests {
		f.Add(tt.event, tt.exit, tt.stdout, tt.stderr)
		f.Add(tt.event, 2, tt.stdout, tt.stderr)
	}
	f.Fuzz(func(t *testing.T, event string, exit int, stdout, stderr string) {
		row := profile.Row(event)
		if row == nil {
			return
		}
		hook := command(schema.FailDefault)
		res := &process.Result{Exit: exit, Stdout: []byte(stdout), Stderr: []byte(stderr)}
		r, ds := New().DecodeReply(hook, bash(event), res)
		if exit == 2 && row.Blocks != 0 && !strings.Contains(codesOf(ds), string(schema.CodeReleased)) {
			if f := r.Uses(); f&row.Blocks == 0 {
				t.Fatalf("exit code 2 does not block: %q", effectsOf(&r))
			}
		}
		call := &schema.Call{Dialect: "claude", Event: row.Event, Native: row.Native}
		if r.Uses()&^New().Honors(call, nil) != 0 { // an object can't contain plain text
			return
		}
		out := New().AppendReply(nil, call, &r)
		if row.Event == schema.WorktreeCreate {
			hook.Handler = schema.HandlerHTTP
		}
		back, ds := New().DecodeReply(hook, bash(event), &process.Result{Stdout: out})
		r.Extra = nil // unknown fields are the hook's, not hookbridge's
		if diff := cmp.Diff(r, back); diff != "" {
			t.Fatalf("%s %v\n%s", out, findings(ds), diff)
		}
	})
}

func checkConfig(t testing.TB, cfg *schema.Config, ds schema.Diagnostics) {
	t.Helper()
	void := ds.Max() == schema.Error
	for _, d := range ds {
		void = void || d.Code == schema.CodeVoidFile
		if d.Line < 1 || d.Col < 1 || d.File == "" || d.Message == "" {
			t.Fatalf("a finding without a place: %+v", d)
		}
	}
	if void && len(cfg.Hooks) > 0 {
		t.Fatalf("a void file has hooks: %v", findings(ds))
	}
	for _, h := range cfg.Hooks {
		if h.Path == "" || h.Line < 1 || h.Col < 1 || h.Event == 0 || h.Handler == 0 || h.Timeout < 0 {
			t.Fatalf("%+v", h)
		}
	}
}

// FuzzEnvFile checks that there are only names, and a line for everything that isn't translated.
func FuzzEnvFile(f *testing.F) {
	for _, tt := range envTests {
		f.Add(tt.text)
	}
	f.Add("cat<<EOF\nA%%%%% <<EOF\n\x80\x001\nEOF\nB=2:\x01Fi6\xf0o")
	f.Fuzz(func(t *testing.T, text string) {
		vars, ds := New().ParseEnvFile(text, envGiven)
		seen := map[string]bool{}
		for _, v := range vars {
			if !shell.IsName(v.Name) || seen[v.Name] {
				t.Fatalf("%q", v)
			}
			seen[v.Name] = true
		}
		for _, d := range ds {
			if d.Line < 1 || d.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("line %d of %q", d.Line, text)
			}
		}
	})
}

// TestCorpus reads published configurations.
func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(material.Corpus(t, "claude"), "*"))
	hooks, void := 0, 0
	codes := map[schema.Code]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cfg, ds := New().ParseConfig(text, schema.Source{File: file})
		checkConfig(t, cfg, ds)
		hooks += len(cfg.Hooks)
		if len(cfg.Hooks) == 0 {
			void++
		}
		for _, d := range ds {
			codes[d.Code]++
		}
	}
	if len(files) == 0 || hooks == 0 {
		t.Fatalf("%d files, %d hooks", len(files), hooks)
	}
	t.Logf("%d files, %d without hooks, %d hooks, findings %v", len(files), void, hooks, codes)
}
