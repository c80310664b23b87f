package scriptread

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A tokenKind is the kind of a token.
type tokenKind uint8

const (
	nameToken tokenKind = iota
	textToken           // a string
	formToken           // a string with expressions or escapes, a regular expression or a number
	stepToken           // .NAME or ?.NAME; its text is the name
	signToken
	endToken // the end of a statement
)

// A token is a piece of a program.
type token struct {
	kind tokenKind
	text string
	line int
}

func (t *token) is(signs ...string) bool {
	return t.kind == signToken && slices.Contains(signs, t.text)
}

// compiled returns the regular expressions, made when the first script is read: no call of a hook needs them.
func compiled() *expressions {
	made.once.Do(func() {
		c := &made
		const double, single = `"(?:\\.|[^"\\\n])*"?`, `'(?:\\.|[^'\\\n])*'?`
		tokens := func(skipped, texts string) *regexp.Regexp {
			return regexp.MustCompile(`(?s)^(?:(\s+|` + skipped + `)|(` + texts + `)|\??\.([A-Za-z_$][\w$]*)|` +
				`(sys\.stdin|process\.stdin|Bun\.stdin|json\.loads?|JSON\.parse|[A-Za-z_$][\w$]*)|(\d[\w.]*)|` +
				`[=!]==|\?//|//=|[-+*/|=!<>:]=|=>|//|\|\||&&|\?\?|\?\.|\.+|.)`)
		}
		c.tokens = map[Language]*regexp.Regexp{
			Python: tokens(`#[^\n]*|\\\n`, `(?i:[rbfu]{0,2})(?:"""(?:\\.|[^\\])*?(?:"""|\z)|`+
				`'''(?:\\.|[^\\])*?(?:'''|\z)|`+double+`|`+single+`)`),
			JavaScript: tokens(`//[^\n]*|/\*.*?(?:\*/|\z)|#![^\n]*`, double+`|`+single+"|`(?:\\\\.|[^`\\\\])*`?"),
			jq:         tokens(`#[^\n]*`, `"(?:\\\((?:[^()"]|"[^"]*"|\([^()]*\))*\)|\\.|[^"\\])*"?`),
		}
		c.pattern = regexp.MustCompile(`^/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/`)
		c.within = regexp.MustCompile(`\\\(((?:[^()]|\([^()]*\))*)\)`)
	})
	return &made
}

var made expressions

type expressions struct {
	once    sync.Once
	tokens  map[Language]*regexp.Regexp
	pattern *regexp.Regexp // a regular expression of JavaScript
	within  *regexp.Regexp // an expression in a string of jq
}

// A lexer splits a program into tokens.
type lexer struct {
	lang   Language
	tokens []token
	open   []string // brackets
}

// lex reads a program whose first line has the number line.
func lex(lang Language, src string, line int) []token {
	x := &lexer{lang: lang}
	for src != "" {
		m := compiled().tokens[lang].FindStringSubmatch(src)
		n := len(m[0])
		t := token{signToken, m[0], line}
		switch {
		case m[1] != "":
			t.kind = endToken
		case m[2] != "":
			t.kind, t.text = textOf(m[2])
		case m[3] != "":
			t.kind, t.text = stepToken, m[3]
		case m[4] != "":
			t.kind = nameToken
		case m[5] != "":
			t.kind = formToken
		case t.text == ";" && lang != jq:
			t.kind = endToken
		case t.text == "/" && lang == JavaScript && x.operand():
			if p := compiled().pattern.FindString(src); p != "" {
				t.kind, n = formToken, len(p)
			}
		}

		if m[1] == "" || strings.Contains(m[1], "\n") && x.ends(src[n:]) {
			x.add(t)
		}
		line += strings.Count(src[:n], "\n")
		src = src[n:]
	}
	return append(x.tokens, token{kind: endToken, line: line})
}

// textOf returns the content of a string. One that may contain expressions stays unchanged.
func textOf(s string) (tokenKind, string) {
	text := strings.Trim(strings.TrimLeft(s, "rRbBfFuU"), "\"'`")
	if strings.ContainsAny(text, `\{$`) || unclosed(s) {
		return formToken, s
	}
	return textToken, text
}

func (x *lexer) add(t token) {
	switch last := len(x.open) - 1; {
	case t.is("(", "[", "{"):
		x.open = append(x.open, t.text)
	case t.is(")", "]", "}") && last >= 0:
		x.open = x.open[:last]
	}
	x.tokens = append(x.tokens, t)
}

// operand reports whether an operand follows: a slash there begins a regular expression and doesn't divide.
func (x *lexer) operand() bool {
	t := &token{kind: endToken}
	if last := len(x.tokens) - 1; last >= 0 {
		t = &x.tokens[last]
	}
	return t.kind == endToken || t.text == "return" || t.kind == signToken && !t.is(")", "]", "}")
}

// ends reports whether the end of a line ends a statement: not in parentheses, and in JavaScript not where the lines
// before or after it join.
func (x *lexer) ends(rest string) bool {
	js := x.lang == JavaScript
	if last := len(x.open) - 1; last >= 0 && (!js || x.open[last] != "{") {
		return false
	}
	continues := x.operand() || rest != "" && strings.Contains(".?:|&+=", rest[:1])
	return x.lang != jq && !(js && continues)
}
