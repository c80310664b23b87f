package claude

import (
	"bytes"
	"strings"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/yaml"
)

// frontMatter is how skills, commands and sub-agents are read: up to the first "---", wherever that is. If the text
// isn't YAML, they are read again with quotes (package and observed 2.1.328).
var frontMatter = frontmatter.Rules{Anywhere: true, Again: quoted,
	Idle: frontmatter.Field{Name: "context", Value: "fork"}} // observed 2.1.328: none runs in a skill's fork

// quoted quotes parts that may have broken the YAML: the values of top-level keys that contain characters of its
// syntax. A tab at the start of a line becomes two blanks (package 2.1.328).
func quoted(text []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		body, end := line, ""
		if rest, ok := bytes.CutSuffix(line, []byte{'\n'}); ok {
			body, end = rest, "\n"
		}
		body = quotedLine(body)
		indented := bytes.TrimLeft(body, "\t")
		out.WriteString(strings.Repeat("  ", len(body)-len(indented)))
		out.Write(indented)
		out.WriteString(end)
	}
	return out.Bytes()
}

// quotedLine returns a line with its value in quotes, if the value needs them.
func quotedLine(line []byte) []byte {
	key, value, ok := topLevel(line)
	switch {
	case !ok || isWrapped(value, '"', '"') || isWrapped(value, '\'', '\''):
		return line
	case isWrapped(value, '[', ']') && isSequence(value):
		return line
	case !bytes.ContainsAny(value, "{}[]*&#!|>%@`") && !bytes.Contains(value, []byte(": ")):
		return line
	}
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(value))
	return []byte(string(key) + `: "` + escaped + `"`)
}

// topLevel parses a line as /^([a-zA-Z_-]+):\s+(\S.*)$/.
func topLevel(line []byte) (key, value []byte, ok bool) {
	key, rest, ok := bytes.Cut(line, []byte{':'})
	value = bytes.TrimLeftFunc(rest, ordjson.IsSpace)
	isKey := func(r rune) bool { return r|' ' >= 'a' && r|' ' <= 'z' || r == '_' || r == '-' }
	ok = ok && len(key) > 0 && len(bytes.TrimLeftFunc(key, isKey)) == 0
	return key, value, ok && len(value) > 0 && len(value) < len(rest) && !bytes.ContainsAny(value, "\r\u2028\u2029")
}

func isWrapped(text []byte, first, last byte) bool {
	return text[0] == first && text[len(text)-1] == last
}

func isSequence(text []byte) bool {
	n, err := yaml.Parse(text)
	return err == nil && n.Kind == yaml.Sequence
}
