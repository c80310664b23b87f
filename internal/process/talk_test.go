//go:build unix

package process

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func startTalk(t *testing.T, script string) *Talk {
	t.Helper()
	talk, err := StartTalk(Spec{Argv: []string{"/bin/sh", "-c", script}, Env: []string{"PATH=/usr/bin:/bin"}})
	if err != nil {
		t.Fatal(err)
	}
	return talk
}

func TestTalk(t *testing.T) {
	talk := startTalk(t, `while read -r line; do echo "heard $line"; done; echo gone >&2; exit 3`)
	for _, line := range []string{"one", "two", strings.Repeat("x", 200000)} {
		if got, err := talk.Ask([]byte(line), 20*time.Second); err != nil || string(got) != "heard "+line {
			t.Fatalf("%.40q, %v", got, err)
		}
	}
	if r := talk.Close(); r.Exit != 3 || string(r.Stderr) != "gone\n" {
		t.Errorf("ended with %d, %q", r.Exit, r.Stderr)
	}
}

func TestTalkFails(t *testing.T) {
	for _, c := range []struct {
		script string
		limit  time.Duration
		want   error
	}{
		{`exit 1`, 20 * time.Second, ErrEnded},
		{`read -r line; exit 1`, 20 * time.Second, ErrEnded},
		{`exec sleep 60`, 300 * time.Millisecond, ErrSilent},
		{`read -r line; kill -9 $$`, 20 * time.Second, ErrEnded},
	} {
		talk := startTalk(t, c.script)
		if _, err := talk.Ask([]byte("x"), c.limit); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.script, err)
		}
		talk.Close()
	}
	talk := startTalk(t, `read -r line; echo one; echo two; read -r line; echo three`)
	if got, err := talk.Ask([]byte("x"), 20*time.Second); err != nil || string(got) != "one" {
		t.Fatalf("%s, %v", got, err)
	}
	got, err := []byte(nil), error(nil)
	for range 2 { // "two" is on its way: as an unasked line, or instead of an answer
		if got, err = talk.Ask([]byte("x"), 20*time.Second); string(got) == "two" {
			break
		}
	}
	if string(got) != "two" || err != nil && !errors.Is(err, ErrUnasked) {
		t.Errorf("%s, %v", got, err)
	}
	talk.Close()
	if _, err := StartTalk(Spec{Argv: []string{"/no/such/program"}}); err == nil {
		t.Error("a program that is not there was started")
	}
}
