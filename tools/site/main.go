// Site writes the documentation as a static site, which needs no server and makes no request to another host:
//
//	go -C tools run ./site -o ../site
//
// Its pages come from the Markdown of the repository and from the dialects' tables. The converter is the page that
// scripts/page.go writes.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	out := flag.String("o", "site", "the folder to write, which is made where it is missing")
	flag.Parse()

	root, err := rootFolder()
	if err == nil {
		err = writeSite(root, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// rootFolder returns the repository's root.
func rootFolder() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/hookbridge/hookbridge").Output()
	if err != nil {
		return "", fmt.Errorf("run it in the module of tools: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// writeSite writes the site of the repository at root, with the converter, into a folder.
func writeSite(root, out string) error {
	files, err := build(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}

	page, err := filepath.Abs(filepath.Join(out, converter))
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "run", "scripts/page.go", "-docs", "index.html", "-o", page)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the converter: %w", err)
	}
	fmt.Printf("%s: %d files\n", out, len(files)+1)
	return nil
}
