package cursor

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestTail(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{`noise {"a":1}`, `{"a":1}`},
		{`{"a":1}{"b":2}`, `{"b":2}`},
		{`[{"a":{}}`, `{"a":{}}`},
		{`x {"a":"}{"}`, `{"a":"}{"}`},
		{`x {"a":"\"{\\"}`, `{"a":"\"{\\"}`},
		{`it's {"a":"b" {"c":"\\\"{"}`, `{"c":"\\\"{"}`},
		{`a"b {"c":1}`, `{"c":1}`},
		{`}`, ``},
		{`"{"}`, ``},
	} {
		got, _ := tail([]byte(row.text))
		same(t, row.text, string(got), row.want)
	}
}

// FuzzTail compares tail with a plain search of every suffix.
func FuzzTail(f *testing.F) {
	for _, s := range []string{`x{"a":1}`, `{"a":"{","b":{}}`, `{"a":"\\"}{"b":"\""}`, `{{"a":1}`, `{"a":1}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := ""
		for i := len(s) - 1; i >= 0 && want == "" && len(s) < 1000; i-- {
			if s[i] == '{' && s[len(s)-1] == '}' && json.Valid([]byte(s[i:])) {
				want = s[i:]
			}
		}
		if got, _ := tail([]byte(s)); want != "" && string(got) != want {
			t.Errorf("tail(%q) = %q, want %q", s, got, want)
		}
	})
}

// TestHostile checks that no output takes long to read: each of these has many braces at which a reader could start.
func TestHostile(t *testing.T) {
	const n = 1 << 20
	for _, s := range []string{"{", `{"`, `{"a":`, `{"a":[`, `{},`, `\"{`, `"{`, `{"a":1,"a":1,`} {
		text := strings.Repeat(s, n/len(s))
		for _, end := range []string{"}", strings.Repeat("}", 300), `"}`} {
			start := time.Now()
			decode(t, answer{event: "preToolUse", out: text + end})
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("%q... %q took %v", s, end[:1], d)
			}
		}
	}
	start := time.Now()
	strip(bytes.Repeat([]byte("/**/"), n/4))
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("comments took %v", d)
	}
}
