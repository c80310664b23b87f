package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/command/cli"
)

// BenchmarkConvert converts a settings file with many hooks, including the report.
func BenchmarkConvert(b *testing.B) {
	for _, n := range []int{10, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var groups []string
			for i := range n {
				groups = append(groups, fmt.Sprintf("{\"matcher\":\"Bash|Edit\",\"hooks\":[{\"type\":\"command\","+
					"\"command\":\"./hooks/h%d.sh\",\"timeout\":30,\"statusMessage\":\"x\"}]}", i))
			}
			in := []byte(`{"hooks":{"PreToolUse":[` + strings.Join(groups, ",\n") + `]}}`)
			for b.Loop() {
				if code := cli.Named(commands(), "convert").Call([]string{"--from", "claude", "--to", "cursor", "-"},
					cli.IO{In: bytes.NewReader(in), Out: io.Discard, Err: io.Discard}); code != cli.OK {
					b.Fatal(code)
				}
			}
		})
	}
}
