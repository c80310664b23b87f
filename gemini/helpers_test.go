package gemini

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/schema"
)

// corpus returns the files below a folder of the corpus.
func corpus(t testing.TB, parts ...string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(material.Corpus(t, parts...), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A find is the stable part of a diagnostic.
type find struct {
	Code     schema.Code
	Severity schema.Severity
	Path     string
}

func finds(ds schema.Diagnostics) (out []find) {
	for _, d := range ds {
		out = append(out, find{d.Code, d.Severity, d.Path})
	}
	return out
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestCorpus parses real files.
func TestCorpus(t *testing.T) {
	hooks := 0
	codes := map[schema.Code]int{}
	files := corpus(t, "gemini")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cfg, ds := New().ParseConfig(text, schema.Source{File: file})
		checkHooks(t, cfg)
		hooks += len(cfg.Hooks)
		for _, d := range ds {
			codes[d.Code]++
		}
	}
	if hooks == 0 {
		t.Error("no hooks in the whole corpus")
	}
	t.Logf("%d files, %d hooks, findings %v", len(files), hooks, codes)
}

func checkHooks(t *testing.T, cfg *schema.Config) {
	t.Helper()
	for _, h := range cfg.Hooks {
		if h.Path == "" || h.Line == 0 || h.Col == 0 || h.Event == 0 || h.Timeout < 0 || h.Command == "" {
			t.Errorf("a hook without a place, an event, a command or a usable timeout: %+v", h)
		}
	}
}
