package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// homeVariables returns the environment that gives packaging/home.env a home for a test.
func homeVariables(signer string) []string {
	return append(os.Environ(), "URL=https://home.invalid/acme/hookbridge", "NPM=@acme/hookbridge", "SCOPE=@acme",
		"TAP=acme/tap", "WINGET=acme.hookbridge", "SIGNER="+signer)
}

// packagingScript runs a script of packaging with a home.
func packagingScript(t *testing.T, signer, script string, args ...string) string {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"../../packaging/" + script}, args...)...)
	cmd.Env = homeVariables(signer)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", script, err, out)
	}
	return string(out)
}

func needs(t *testing.T, tools ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no sh")
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no ", tool)
		}
	}
}

// signingKey creates a key pair for releases and returns the file of the private key and the public key.
func signingKey(t *testing.T) (file, public string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "key")
	generate := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file)
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file, strings.TrimSpace(string(read(t, file+".pub")))
}

// archiveOf returns a tar.gz with a program that prints a version.
func archiveOf(version string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	text := "#!/bin/sh\necho hookbridge v" + version + "\n"
	_ = w.WriteHeader(&tar.Header{Name: "hookbridge", Mode: 0o755, Size: int64(len(text))})
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	_ = z.Close()
	return b.Bytes()
}

// A releaseServer serves the files of one release, as the latest one and by its version.
type releaseServer map[string][]byte

func (s releaseServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := filepath.Base(r.URL.Path)
	folder := strings.TrimSuffix(r.URL.Path, "/"+name)
	text, ok := s[name]
	if !ok || folder != "/latest/download" && folder != "/download/v1.2.3" {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(text)
}

// signed returns a release with the right checksums, signed by a key.
func signed(t *testing.T, key, version string) releaseServer {
	t.Helper()
	file := fmt.Sprintf("hookbridge_%s_%s_%s.tar.gz", version, runtime.GOOS, runtime.GOARCH)
	archive := archiveOf(version)
	sums := fmt.Sprintf("%x  other_%[2]s\n%[1]x  %[2]s\n", sha256.Sum256(archive), file)
	list := filepath.Join(t.TempDir(), "checksums.txt")
	if err := os.WriteFile(list, []byte(sums), 0o644); err != nil {
		t.Fatal(err)
	}
	sign := exec.Command("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", "hookbridge-release", list)
	if out, err := sign.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return releaseServer{file: archive, "checksums.txt": []byte(sums), "checksums.txt.sig": read(t, list+".sig")}
}

// TestInstaller installs from a server. Nothing may be installed if a byte of any file differs, if the signature is
// from another key, or if the release has another version.
func TestInstaller(t *testing.T) {
	needs(t, "curl", "tar", "ssh-keygen")
	key, public := signingKey(t)
	scripts := t.TempDir()
	packagingScript(t, public, "install/fill.sh", scripts)
	if text := string(read(t, filepath.Join(scripts, "install.sh"))); strings.Contains(text, "@") {
		t.Errorf("left to fill in: %s", text)
	}

	install := func(files releaseServer, settings ...string) (program, out string, err error) {
		server := httptest.NewServer(files)
		defer server.Close()
		dir := filepath.Join(t.TempDir(), "a folder")
		cmd := exec.Command("sh", filepath.Join(scripts, "install.sh"))
		cmd.Env = append(append(os.Environ(), "HOOKBRIDGE_RELEASES="+server.URL, "HOOKBRIDGE_DIR="+dir), settings...)
		text, err := cmd.CombinedOutput()
		return filepath.Join(dir, "hookbridge"), string(text), err
	}
	for _, settings := range [][]string{nil, {"HOOKBRIDGE_VERSION=v1.2.3"}} {
		program, out, err := install(signed(t, key, "1.2.3"), settings...)
		if err != nil || !strings.Contains(out, "installed hookbridge v1.2.3 in ") ||
			!strings.Contains(out, "to your PATH") {
			t.Errorf("%v: %s", err, out)
		}
		if info, err := os.Stat(program); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%v %v", info, err)
		}
	}

	refused := func(what, want string, files releaseServer, settings ...string) {
		t.Helper()
		program, out, err := install(files, settings...)
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v: %s", what, err, out)
		}
		if _, err := os.Stat(program); err == nil {
			t.Errorf("%s: it is installed", what)
		}
	}
	for name := range signed(t, key, "1.2.3") {
		files := signed(t, key, "1.2.3")
		changed := bytes.Clone(files[name])
		changed[len(changed)/2] ^= 1
		files[name] = changed
		refused(name+" with another byte", " is wrong; nothing was installed", files)
		delete(files, name)
		refused("without "+name, "can't download", files)
	}
	other, _ := signingKey(t)
	refused("another key", "the signature of checksums.txt is wrong", signed(t, other, "1.2.3"))
	refused("another version", "the release is not 1.2.3", signed(t, key, "1.2.2"), "HOOKBRIDGE_VERSION=1.2.3")
	forged := signed(t, key, "1.2.3")
	for name := range forged {
		if strings.HasSuffix(name, ".gz") {
			forged[name] = archiveOf("6.6.6")
		}
	}
	refused("another archive", "the checksum of hookbridge_1.2.3_", forged)
}

// TestActionInstalls checks that the action installs a release under the same conditions as the installers.
func TestActionInstalls(t *testing.T) {
	needs(t, "bash", "curl", "tar", "ssh-keygen")
	key, public := signingKey(t)
	other, _ := signingKey(t)
	good, unsigned, changed := signed(t, key, "1.2.3"), signed(t, key, "1.2.3"), signed(t, key, "1.2.3")
	delete(unsigned, "checksums.txt.sig")
	for name := range changed {
		if strings.HasSuffix(name, ".tar.gz") {
			changed[name] = append(bytes.Clone(changed[name]), 0)
		}
	}
	for _, c := range []struct {
		name     string
		files    releaseServer
		installs bool
	}{{"signed", good, true}, {"another key", signed(t, other, "1.2.3"), false}, {"unsigned", unsigned, false},
		{"another archive", changed, false}} {
		server := httptest.NewServer(c.files)
		dir := filepath.Join(t.TempDir(), "tool")
		cmd := exec.Command("bash", "../../packaging/action/install.sh", dir)
		cmd.Env = append(homeVariables(public), "HOOKBRIDGE_RELEASES="+server.URL+"/download",
			"HOOKBRIDGE_VERSION=1.2.3", "GITHUB_PATH=")
		out, err := cmd.CombinedOutput()
		server.Close()
		_, there := os.Stat(filepath.Join(dir, "hookbridge"))
		if (err == nil) != c.installs || (there == nil) != c.installs {
			t.Errorf("%s: %v %v: %s", c.name, err, there, out)
		}
	}
}
