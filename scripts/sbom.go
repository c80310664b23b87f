//go:build ignore

// Sbom lists the modules in a built program from the information that the Go linker wrote into it. It prints a
// CycloneDX document, a list of licenses, or the texts of the licenses. The same program gives the same bytes.
//
//	go run scripts/sbom.go [-form cyclonedx|table|texts] [-version V] [-o FILE] PROGRAM
package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
)

// A part is one linked module.
type part struct {
	path, version, sum string
	licence            string
	texts              []string // files with licenses and notices
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("sbom: ")
	form := flag.String("form", "cyclonedx", "cyclonedx, table or texts")
	out := flag.String("o", "", "file to write, otherwise stdout")
	version := flag.String("version", "", "the program's own version, where the linker does not know it")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: sbom [-form cyclonedx|table|texts] [-o FILE] PROGRAM")
	}

	info, err := buildinfo.ReadFile(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	if *version != "" {
		info.Main.Version = *version
	}

	parts := []part{{path: "std", version: strings.TrimPrefix(info.GoVersion, "go"), licence: "BSD-3-Clause",
		texts: []string{filepath.Join(runtime.GOROOT(), "LICENSE")}}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		p := part{path: m.Path, version: m.Version, sum: m.Sum}
		p.licenseFiles()
		parts = append(parts, p)
	}

	sort.Slice(parts, func(i, j int) bool { return parts[i].path < parts[j].path })
	var text []byte
	switch *form {
	case "cyclonedx":
		text = cyclonedx(info, parts)
	case "table":
		text = table(parts)
	case "texts":
		text = texts(parts)
	default:
		log.Fatalf("no form %q", *form)
	}

	if *out == "" {
		os.Stdout.Write(text)
		return
	}

	if err := os.WriteFile(*out, text, 0o644); err != nil {
		log.Fatal(err)
	}
}

// licenseFiles finds the license files in the module's folder and identifies the licenses.
func (p *part) licenseFiles() {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", p.path+"@"+p.version).Output()
	if err != nil {
		log.Fatalf("%s: %v", p.path, err)
	}

	entries, err := os.ReadDir(strings.TrimSpace(string(dir)))
	if err != nil {
		log.Fatal(err)
	}

	found := map[string]bool{}
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if !strings.HasPrefix(name, "LICEN") && !strings.HasPrefix(name, "COPYING") &&
			!strings.HasPrefix(name, "NOTICE") {
			continue
		}
		file := filepath.Join(strings.TrimSpace(string(dir)), e.Name())
		text, err := os.ReadFile(file)
		if err != nil {
			log.Fatal(err)
		}
		p.texts = append(p.texts, file)
		for _, k := range []struct{ id, words string }{
			{"Apache-2.0", "Apache License, Version 2.0"},
			{"Apache-2.0", "Version 2.0, January 2004"},
			{"MIT", "Permission is hereby granted, free of charge"},
			{"BSD-3-Clause", "Neither the name"},
			{"ISC", "Permission to use, copy, modify, and/or distribute"},
			{"MPL-2.0", "Mozilla Public License Version 2.0"},
		} {
			if bytes.Contains(bytes.Join(bytes.Fields(text), []byte(" ")), []byte(k.words)) {
				found[k.id] = true
			}
		}
	}

	var ids []string
	for id := range found {
		ids = append(ids, id)
	}

	sort.Strings(ids)
	if p.licence = strings.Join(ids, " AND "); p.licence == "" {
		log.Fatalf("%s %s: unknown license", p.path, p.version)
	}
}

type component struct {
	Type     string     `json:"type"`
	Ref      string     `json:"bom-ref"`
	Name     string     `json:"name"`
	Version  string     `json:"version"`
	Licenses []licence  `json:"licenses,omitempty"`
	PURL     string     `json:"purl,omitempty"`
	Extra    []property `json:"properties,omitempty"`
}

type licence struct {
	Expression string `json:"expression"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func cyclonedx(info *buildinfo.BuildInfo, parts []part) []byte {
	main := component{Type: "application", Ref: "main", Name: info.Main.Path, Version: info.Main.Version,
		Licenses: []licence{{"Apache-2.0"}}, PURL: "pkg:golang/" + info.Main.Path + "@" + info.Main.Version}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOOS", "GOARCH", "CGO_ENABLED", "-trimpath", "-ldflags", "vcs.revision":
			main.Extra = append(main.Extra, property{"build:" + s.Key, s.Value})
		}
	}

	list := []component{}
	refs := []string{}
	for _, p := range parts {
		c := component{Type: "library", Ref: p.path, Name: p.path, Version: p.version, Licenses: []licence{{p.licence}},
			PURL: "pkg:golang/" + p.path + "@" + p.version}
		if p.sum != "" {
			c.Extra = []property{{"go:sum", p.sum}}
		}
		list = append(list, c)
		refs = append(refs, p.path)
	}

	doc := struct {
		Format       string         `json:"bomFormat"`
		Spec         string         `json:"specVersion"`
		Version      int            `json:"version"`
		Metadata     map[string]any `json:"metadata"`
		Components   []component    `json:"components"`
		Dependencies []any          `json:"dependencies"`
	}{"CycloneDX", "1.5", 1, map[string]any{"component": main}, list,
		[]any{map[string]any{"ref": "main", "dependsOn": refs}}}

	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		log.Fatal(err)
	}

	return append(text, '\n')
}

func table(parts []part) []byte {
	var b bytes.Buffer
	b.WriteString("| module | version | license |\n|---|---|---|\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.path, p.version, p.licence)
	}
	return b.Bytes()
}

func texts(parts []part) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		for _, file := range p.texts {
			text, err := os.ReadFile(file)
			if err != nil {
				log.Fatal(err)
			}
			fmt.Fprintf(&b, "==== %s %s: %s\n\n%s\n", p.path, p.version, filepath.Base(file), text)
		}
	}
	return b.Bytes()
}
