package cursor

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// TestCorpus parses real files. It counts possible mistakes, and checks only the invariants of every file.
func TestCorpus(t *testing.T) {
	hooks, void := 0, 0
	codes := map[schema.Code]int{}
	files := corpus(t, "cursor")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		cfg, ds := Dialect{}.ParseConfig(text, schema.Source{File: file})
		checkConfig(t, cfg, ds)
		hooks += len(cfg.Hooks)
		for _, d := range ds {
			codes[d.Code]++
		}
		if slices.ContainsFunc(ds, voids) {
			void++
		}
	}
	if hooks == 0 {
		t.Error("no hooks in the whole corpus")
	}
	t.Logf("%d files, %d of them void, %d hooks, findings %v", len(files), void, hooks, codes)
}
