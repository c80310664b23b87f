package shell

import (
	"runtime/debug"
	"strings"
	"testing"
)

// hostile lists pieces of lines that must neither hang nor crash the reader.
var hostile = []string{
	"(", "$(", "`", "\\`", "{ ", "${", "${a:-", "$((", "((", "$[", "[[ ", "[[ ! ", "[[ (", "[[ a && ",
	"a[", "a=(", "<(", "\"$(", "\"`", "\"${a:-\"", "'", "\"", "$'", "$\"", "\\", "\x00", "\xff", "\r",
	"\r\n", "\n", "#", "# a\n", "&", "|", ";", "! ", "<<a ", "<<a\n", "<<-'a'\n", "<<a\na\n",
	"<<a\n$(", "if ", "if a; then ", "elif ", "else ", "while ", "until a; do ", "for a in ", "for ((",
	"case a in ", "case a in a) ", "select ", "function f ", "a() ", "a() { ", "time ", "coproc ",
	"let ", "declare a=", "$((-", "$((a=", "$((a?", "$((a**", "$((1+", "@(", "a && ", "a | ", "{a,",
	"\\\n", "a\\\n", "# \\\n", "]]", "))", "fi", "done", "}", ")", "esac", "=", "a=b ", "${a[", "${a/",
	"${a:", "${#", "nohup ", "xargs ", "bash -c '", "bash -c \"", "eval a ", "find . -exec ", "cd a;",
	"a;", "'a' ", "é", "\u0085",
}

// enclosed returns lines of n bytes of a piece, alone and in places for a word, a calculation or a test.
func enclosed(piece string, n int) (lines []string) {
	body := strings.Repeat(piece, n/len(piece)+1)[:n]
	for _, around := range [][2]string{{"", ""}, {"a $((", "))"}, {"a \"$(", ")\""}, {"[[ ", " ]]"},
		{"a <<E\n", "\nE\n"}, {"a <<'E'\n", "\nE\n"}, {"a '", "'"}, {"a `", "`"}} {
		lines = append(lines, around[0]+body+around[1])
	}
	return lines
}

// TestHostile checks that every such line is read to an end, on a stack of 32 MB.
func TestHostile(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	sizes := []int{1, 2, 1023, 1025, 10_000}
	if testing.Short() {
		sizes = []int{1, 1025}
	}
	for _, piece := range hostile {
		for _, n := range sizes {
			for _, line := range enclosed(piece, n) {
				Runs(line)
				Environment(line, func(string) string { return "" })
			}
		}
		Runs(strings.Repeat(piece, maxLength/len(piece)))
	}
}

// TestBound checks that a line beyond the limit is not understood, with any content, and costs nothing.
func TestBound(t *testing.T) {
	for _, piece := range append(hostile, "a ") {
		line := strings.Repeat(piece, 1<<20/len(piece))
		allocated := testing.AllocsPerRun(1, func() {
			if _, ok := Parse(line); ok {
				t.Errorf("%.20q…: understood", line)
			}
			if _, ok := Words(line); ok {
				t.Errorf("%.20q…: taken for words", line)
			}
			if _, ok := Runs(line); ok {
				t.Errorf("%.20q…: programs", line)
			}
		})
		if allocated > 5 {
			t.Errorf("%.20q…: %v allocations", line, allocated)
		}
	}
	line := strings.Repeat("$(", maxLength/4) + strings.Repeat(")", maxLength/4)
	if _, ok := Parse(line); ok {
		t.Error("any depth is read")
	}
	if _, ok := Parse("a '" + strings.Repeat("b", maxLength-4) + "'"); !ok {
		t.Error("a long word is refused")
	}
}

// TestParseEnds has short lines on which an earlier reader hung or panicked.
func TestParseEnds(t *testing.T) {
	for _, line := range []string{"a <<X\n\x00\nX\n", "a <<X\nb\x00\nX\n", "a <<-X\n\t\x00\nX\n", "\"\x00\"", "$'\\",
		"$'", "a $'x\\", "$\"\\", "`\x00`", "${\x00", "$((\x00", "$(\x00"} {
		if s, ok := Parse(line); ok {
			t.Errorf("%q: %v", line, s)
		}
	}
}
