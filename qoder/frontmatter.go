package qoder

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// frontMatter is how skills, commands and sub-agents are read. If the text isn't YAML, they are read again with quotes
// (package and observed 1.1.52).
var frontMatter = frontmatter.Rules{Exact: true, Again: quoted}

// quoted quotes parts that may have broken the YAML: the values of keys, at any depth, that contain characters of its
// syntax. A block of lines becomes one line, as in the package 1.1.52; here empty lines follow it, so that places don't
// change.
func quoted(text []byte) []byte {
	var out []string
	key, depth, inBlock, rows := "", 0, false, 0 // of a block
	var value []byte
	end := func() {
		if key == "" { // without a key, a block never ends, and its lines are lost
			return
		}
		out = append(out, strings.Repeat(" ", depth)+key+": "+quote(trim(value)))
		out = append(out, make([]string, rows)...)
		key, value, inBlock, rows = "", nil, false, 0
	}
	swallow := func(text string) {
		if value = append(value, text...); key == "" {
			out = append(out, "")
		} else {
			rows++
		}
	}

	for line := range strings.SplitSeq(string(text), "\n") {
		line = strings.TrimRightFunc(strings.ReplaceAll(line, "\t", "  "), ordjson.IsSpace)
		body := strings.TrimLeftFunc(line, ordjson.IsSpace)
		indent := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case body == "" && inBlock:
			swallow(" ")
			continue
		case inBlock && indent > depth && body[0] != '#' && len(value) == 0:
			swallow(body)
			continue
		case inBlock && indent > depth && body[0] != '#':
			swallow(" " + body)
			continue
		}
		end()
		name, rest, ok := keyed(line[:indent], body)
		switch {
		case body == "" || !ok:
			out = append(out, line)
		case blockMark(rest):
			if key, depth, inBlock = trim([]byte(name)), indent, true; key == "" {
				out = append(out, "")
			}
		case needsQuotes(rest):
			out = append(out, name+": "+quote(rest))
		default:
			out = append(out, line)
		}
	}
	end()
	return []byte(strings.Join(out, "\n"))
}

// keyed reads a line as a key with its indentation, and a value. A colon in quotes doesn't end a key.
func keyed(indent, body string) (key, value string, ok bool) {
	if body == "" || body[0] == '#' {
		return "", "", false
	}
	var within byte
	for i := range len(body) {
		switch c := body[i]; {
		case c == within:
			within = 0
		case within == 0 && (c == '\'' || c == '"'):
			within = c
		case within == 0 && c == ':' && (i+1 == len(body) || body[i+1] == ' '):
			return indent + body[:i], trim([]byte(body[i+1:])), true
		}
	}
	return "", "", false
}

// blockMark reports whether a value begins a block of lines.
func blockMark(value string) bool {
	switch value {
	case "|", ">", "|+", ">+", "|-", ">-", "|2", ">2":
		return true
	}
	return false
}

func needsQuotes(value string) bool {
	n := len(value)
	if n == 0 {
		return false
	}
	isQuote := value[0] == '"' || value[0] == '\''
	if n > 1 && isQuote && value[0] == value[n-1] {
		return false
	}
	return strings.Contains(value, ": ") || value[n-1] == ':' || strings.ContainsRune(value, '#') ||
		strings.IndexByte("&*!?[{|>%@`'\"", value[0]) >= 0
}

func quote(value string) string {
	return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(value) + `"`
}
