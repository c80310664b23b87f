package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// testKey stands for the public key of releases.
const testKey = "ssh-ed25519 AAAA"

// checksumsOf returns the list of checksums of a release's archives.
func checksumsOf(t *testing.T, version string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range archivesOf(t, version) {
		b.WriteString(strings.Repeat("a1", 32) + "  " + name + "\n")
	}
	file := filepath.Join(t.TempDir(), "checksums.txt")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// archivesOf returns the names of the archives of a version's release, according to .goreleaser.yaml.
func archivesOf(t *testing.T, version string) (names []string) {
	t.Helper()
	var release struct {
		Project  string `yaml:"project_name"`
		Builds   []struct{ Goos, Goarch []string }
		Archives []struct {
			Name      string `yaml:"name_template"`
			Formats   []string
			Overrides []struct {
				Goos    string
				Formats []string
			} `yaml:"format_overrides"`
		}
	}
	if err := yaml.Unmarshal(read(t, "../../.goreleaser.yaml"), &release); err != nil {
		t.Fatal(err)
	}
	archive := release.Archives[0]
	for _, goos := range release.Builds[0].Goos {
		format := archive.Formats[0]
		for _, o := range archive.Overrides {
			if o.Goos == goos {
				format = o.Formats[0]
			}
		}
		for _, goarch := range release.Builds[0].Goarch {
			names = append(names, strings.NewReplacer("{{ .ProjectName }}", release.Project, "{{ .Version }}", version,
				"{{ .Os }}", goos, "{{ .Arch }}", goarch).Replace(archive.Name)+"."+format)
		}
	}
	return names
}

// manifest reads a filled manifest. If HOOKBRIDGE_MANIFEST_SCHEMAS names a folder, it validates the manifest against
// the schema of that name there. The schemas belong to other projects.
func manifest(t *testing.T, text []byte, schemaName string) map[string]any {
	t.Helper()
	if left := regexp.MustCompile(`@\w+@`).Find(text); left != nil {
		t.Errorf("left to fill in: %s", left)
	}
	var value map[string]any
	if err := yaml.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	if folder := os.Getenv("HOOKBRIDGE_MANIFEST_SCHEMAS"); folder != "" {
		compiled, err := jsonschema.NewCompiler().Compile(filepath.Join(folder, schemaName))
		if err != nil {
			t.Fatal(err)
		}
		asJSON, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := jsonschema.UnmarshalJSON(strings.NewReader(string(asJSON)))
		if err == nil {
			err = compiled.Validate(plain)
		}
		if err != nil {
			t.Errorf("%s: %v", schemaName, err)
		}
	}
	return value
}

// TestWindowsManifests fills the manifests for Scoop and winget. They must satisfy their schemas and name the release's
// archives and checksums.
func TestWindowsManifests(t *testing.T) {
	needs(t, "sed", "awk")
	dir := t.TempDir()
	packagingScript(t, testKey, "windows/fill.sh", "1.2.3", checksumsOf(t, "1.2.3"), dir)
	released := archivesOf(t, "1.2.3")
	names := func(text []byte) { // the archives of a release, and the program in them
		t.Helper()
		address := regexp.MustCompile(`https://home\.invalid/acme/hookbridge/releases/download/v1\.2\.3/([^"\s]+)`)
		found := address.FindAllSubmatch(text, -1)
		for _, m := range found {
			if !slices.Contains(released, string(m[1])) {
				t.Errorf("%s isn't in a release, which has %q", m[1], released)
			}
		}
		if len(found) != 2 || !strings.Contains(string(text), "hookbridge.exe") {
			t.Errorf("%s", text)
		}
	}
	has := func(m map[string]any, keys ...string) {
		t.Helper()
		for _, key := range keys {
			if m[key] == nil || m[key] == "" {
				t.Errorf("no %s", key)
			}
		}
	}

	text := read(t, filepath.Join(dir, "hookbridge.json"))
	scoop := manifest(t, text, "scoop.json")
	has(scoop, "version", "homepage", "license", "bin", "architecture", "checkver", "autoupdate")
	names(text)
	if !json.Valid(text) || strings.Count(string(text), strings.Repeat("a1", 32)) != 2 {
		t.Errorf("%s", text)
	}

	for part, keys := range map[string][]string{
		"":              {"DefaultLocale"},
		".installer":    {"InstallerType", "NestedInstallerType", "NestedInstallerFiles", "Installers"},
		".locale.en-US": {"PackageLocale", "Publisher", "PackageName", "License", "ShortDescription"},
	} {
		text := read(t, filepath.Join(dir, "acme.hookbridge"+part+".yaml"))
		kind := strings.NewReplacer(".locale.en-US", "defaultLocale", ".", "").Replace(part)
		if part == "" {
			kind = "version"
		}
		m := manifest(t, text, "winget."+kind+".json")
		has(m, append(keys, "PackageIdentifier", "PackageVersion", "ManifestType", "ManifestVersion")...)
		if m["ManifestType"] != kind || m["PackageIdentifier"] != "acme.hookbridge" || m["PackageVersion"] != "1.2.3" {
			t.Errorf("%s: %s", part, text)
		}
		if part == ".installer" {
			names(text)
		}
	}
}

// TestUnixManifests fills the files for Unix package managers. Each must name the release's address and checksums, and
// shells and Nix must be able to read theirs, if they are installed.
func TestUnixManifests(t *testing.T) {
	needs(t, "sed", "awk", "git")
	dir := t.TempDir()
	packagingScript(t, testKey, "unix/fill.sh", "1.2.3", checksumsOf(t, "1.2.3"), dir)
	for file, sums := range map[string]int{"hookbridge.rb": 4, "hookbridge.nix": 4, "PKGBUILD": 2, "hookbridge.toml": 0,
		"asdf/bin/list-all": 0, "asdf/bin/install": 0, "asdf/bin/install.sh": 0} {
		text := string(read(t, filepath.Join(dir, file)))
		if left := regexp.MustCompile(`@[A-Za-z_0-9]+@`).FindString(text); left != "" {
			t.Errorf("%s: left to fill in: %s", file, left)
		}
		if n := strings.Count(text, strings.Repeat("a1", 32)); n != sums {
			t.Errorf("%s has %d checksums, want %d", file, n, sums)
		}
	}

	run := func(program string, args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOOKBRIDGE_REPOSITORY="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s %q: %v: %s", program, args, err, out)
		}
		return string(out)
	}
	for _, line := range []string{"init -q", "-c user.name=x -c user.email=x@home.invalid commit -q --allow-empty -m x",
		"tag v1.10.0", "tag v1.2.3", "tag other"} {
		run("git", strings.Fields(line)...)
	}
	if got := run("asdf/bin/list-all"); strings.TrimSpace(got) != "1.2.3 1.10.0" {
		t.Errorf("list-all: %q", got)
	}
	run("sh", "-n", "asdf/bin/install")
	if _, err := exec.LookPath("bash"); err == nil {
		run("bash", "-n", "PKGBUILD")
	}
	if _, err := exec.LookPath("nix-instantiate"); err == nil {
		run("nix-instantiate", "--parse", "hookbridge.nix")
	}
}

// TestProvenance checks that the statement about a release names each of its files, the commit and the tag. The
// statement and the list of checksums must be signed.
func TestProvenance(t *testing.T) {
	needs(t, "awk", "ssh-keygen", "go")
	key, public := signingKey(t)
	t.Setenv("HOOKBRIDGE_SIGNING_KEY", key)
	t.Setenv("GITHUB_WORKFLOW_REF", "")
	sums := checksumsOf(t, "1.2.3")
	packagingScript(t, public, "sign.sh", sums, "v1.2.3", strings.Repeat("c0", 20))

	var statement struct {
		Type          string `json:"_type"`
		PredicateType string
		Subject       []struct {
			Name   string
			Digest struct{ SHA256 string }
		}
		Predicate struct {
			BuildDefinition struct {
				BuildType            string
				ResolvedDependencies []struct {
					URI    string
					Digest struct{ GitCommit string }
				}
			}
			RunDetails struct{ Builder struct{ ID string } }
		}
	}
	if err := json.Unmarshal(read(t, sums+".intoto.json"), &statement); err != nil {
		t.Fatal(err)
	}
	source := statement.Predicate.BuildDefinition.ResolvedDependencies
	if len(statement.Subject) != 6 || statement.Subject[5].Digest.SHA256 != strings.Repeat("a1", 32) ||
		len(source) != 1 || source[0].Digest.GitCommit != strings.Repeat("c0", 20) ||
		source[0].URI != "git+https://home.invalid/acme/hookbridge@refs/tags/v1.2.3" ||
		statement.Predicate.RunDetails.Builder.ID == "" {
		t.Errorf("%+v", statement)
	}

	signers := filepath.Join(t.TempDir(), "signers")
	line := `hookbridge-release namespaces="hookbridge-release" ` + public + "\n"
	if err := os.WriteFile(signers, []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{sums, sums + ".intoto.json"} {
		verify := exec.Command("ssh-keygen", "-q", "-Y", "verify", "-f", signers, "-I", "hookbridge-release",
			"-n", "hookbridge-release", "-s", file+".sig")
		verify.Stdin = strings.NewReader(string(read(t, file)))
		if out, err := verify.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", file, err, out)
		}
	}
}

// TestSchemaStore checks that the entries for SchemaStore have what its catalog requires. Each schema must be in the
// release and accept what init and test --init write.
func TestSchemaStore(t *testing.T) {
	needs(t, "sed")
	var entries []struct {
		Name, Description, URL string
		FileMatch              []string
	}
	if err := json.Unmarshal([]byte(packagingScript(t, testKey, "schemastore/fill.sh")), &entries); err != nil {
		t.Fatal(err)
	}
	prepare := string(read(t, "../../packaging/prepare.sh"))
	if len(entries) != 2 {
		t.Error("not two schemas")
	}
	for _, e := range entries {
		name, ok := strings.CutPrefix(e.URL, "https://home.invalid/acme/hookbridge/releases/latest/download/")
		name, isSchema := strings.CutSuffix(name, ".schema.json")
		if e.Name == "" || e.Description == "" || len(e.FileMatch) == 0 || !ok || !isSchema {
			t.Errorf("%+v", e)
		}
		if code, _, _ := output("schema", name); code != 0 || !strings.Contains(prepare, name) {
			t.Errorf("no release has the schema %q", name)
		}
	}
}
