//go:build ignore

// Page writes the static page as one file, which needs no server:
//
//	go run scripts/page.go -o hookbridge.html
//
// tools/site adds it to the documentation.
//
// It compiles package web/wasm and embeds it, compressed, in the page.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"flag"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("o", "hookbridge.html", "the file to write")
	docs := flag.String("docs", "", "the address of the documentation, which the page links to")
	flag.Parse()
	page, err := build(*docs)
	if err == nil {
		err = os.WriteFile(*out, page, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
	fmt.Printf("%s: %d bytes\n", *out, len(page))
}

// build returns the page with its script and program, and a link to the documentation if there is an address.
func build(docs string) ([]byte, error) {
	where, err := exec.Command("go", "list", "-f", "{{.Root}}", "github.com/hookbridge/hookbridge/web").Output()
	if err != nil {
		return nil, fmt.Errorf("run page.go inside the repository: %w", err)
	}

	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}

	folder := filepath.Join(strings.TrimSpace(string(where)), "web")
	program, err := compile(folder)
	if err != nil {
		return nil, err
	}

	link := ""
	if docs != "" {
		link = `<p><a href="` + html.EscapeString(docs) + `">Documentation</a></p>`
	}

	parts := []string{"{{docs}}", link, "{{program}}", base64.StdEncoding.EncodeToString(program)}
	for mark, file := range map[string]string{"{{script}}": filepath.Join(folder, "page.js"),
		"{{worker}}":    filepath.Join(folder, "worker.js"),
		"{{wasm_exec}}": filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")} {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		parts = append(parts, mark, string(text))
	}
	page, err := os.ReadFile(filepath.Join(folder, "page.html"))
	return []byte(strings.NewReplacer(parts...).Replace(string(page))), err
}

// compile returns the compressed WebAssembly program.
func compile(folder string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "hookbridge-page-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "page.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", file, "./wasm")
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(program)
	}
	if err == nil {
		err = w.Close()
	}
	return packed.Bytes(), err
}
