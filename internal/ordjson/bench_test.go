package ordjson

import (
	"encoding/json"
	"strings"
	"testing"
)

const payload = `{"session_id":"6b0c1d3e-2f4a-4b5c-8d6e-7f8091a2b3c4",` +
	`"transcript_path":"/home/ann/.agent/projects/p/6b0c1d3e.jsonl",` +
	`"cwd":"/home/ann/src/p","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Edit",` +
	`"tool_input":{"file_path":"/home/ann/src/p/main.go","old_string":"func main() {\n\trun()\n}",` +
	`"new_string":"func main() {\n\tos.Exit(run(os.Args))\n}","replace_all":false},` +
	`"tool_use_id":"toolu_01A2b3C4d5E6f7G8h9","extra":[1,2.5e3,null,true,{"k":[]}]}`

// code is text as tools send it: an escape every few dozen bytes.
var code = strings.Repeat("\tif err := run(os.Args); err != nil {\n\t\treturn \"é\"\n\t}\n", 2<<20/55)

func BenchmarkParse(b *testing.B) {
	rows := strings.Repeat(`{"id":12345,"ok":true,"tags":["a","b"],"n":{"x":1.5,"y":null}},`, 2<<20/63)
	for _, bb := range []struct {
		name string
		src  []byte
	}{
		{"payload", []byte(payload)},
		{"plain", []byte(`{"content":"` + strings.Repeat("0123456789 abcdef", 2<<20/17) + `"}`)},
		{"code", append(AppendString([]byte(`{"content":`), code), '}')},
		{"rows", []byte(`{"rows":[` + rows + `0]}`)},
		{"wide", []byte(wide(100_000, `"last":0`))},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(bb.src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStdPayload measures encoding/json for the same payload.
func BenchmarkStdPayload(b *testing.B) {
	b.SetBytes(int64(len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(payload), &m); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMembers(b *testing.B) {
	src := append(AppendString([]byte(`{"a":{"content":`), code), "}}"...)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Members(src, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkString(b *testing.B) {
	for _, bb := range []struct{ name, s string }{{"plain", strings.Repeat("x", 2<<20)}, {"code", code},
		{"short", "PreToolUse"}} {
		b.Run(bb.name, func(b *testing.B) {
			value := AppendString(nil, bb.s)
			b.SetBytes(int64(len(value)))
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := String(value); !ok {
					b.Fatal("not a string")
				}
			}
		})
	}
}

func BenchmarkAppendString(b *testing.B) {
	for _, bb := range []struct{ name, s string }{{"plain", strings.Repeat("x", 2<<20)}, {"code", code},
		{"short", "PreToolUse"}} {
		b.Run(bb.name, func(b *testing.B) {
			var buf []byte
			b.SetBytes(int64(len(bb.s)))
			b.ReportAllocs()
			for b.Loop() {
				buf = AppendString(buf[:0], bb.s)
			}
		})
	}
}

func BenchmarkAppend(b *testing.B) {
	o, err := Parse([]byte(payload))
	if err != nil {
		b.Fatal(err)
	}
	var buf []byte
	b.SetBytes(int64(len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		buf = o.Append(buf[:0])
	}
}
