package scriptread

import "strings"

// A tokenKind tells tokens apart.
type tokenKind uint8

const (
	nameToken tokenKind = iota
	textToken           // a string without expressions
	formToken           // a string with expressions, which aren't read
	otherToken
	endToken // the end of a logical line in Python, a semicolon
)

// A token is a piece of a program.
type token struct {
	kind tokenKind
	text string
	line int
}

func (t *token) is(sign string) bool { return t.kind == otherToken && t.text == sign }

func (t *token) named(word string) bool { return t.kind == nameToken && t.text == word }

// A lexer splits a program into tokens.
type lexer struct {
	lang   Language
	src    string
	at     int
	line   int
	open   int // brackets
	tokens []token
}

// signs of two and three characters, longer ones first.
var signs = []string{"===", "!==", "...", "??=", "||=", "?.", "??", "||", "&&", "==", "!=", "=>", "+=", "-=", "<=",
	">=", ":=", "->", "++", "--"}

// lex splits a program; ok is false if a string or comment isn't closed.
func lex(lang Language, src string, line int) (tokens []token, ok bool) {
	x := &lexer{lang: lang, src: src, line: line}
	for x.at < len(x.src) {
		if !x.next() {
			return nil, false
		}
	}
	x.add(endToken, "")
	return x.tokens, true
}

func (x *lexer) add(kind tokenKind, text string) {
	x.tokens = append(x.tokens, token{kind, text, x.line})
}

// skip passes n bytes.
func (x *lexer) skip(n int) {
	x.line += strings.Count(x.src[x.at:x.at+n], "\n")
	x.at += n
}

// until is the length of the text up to the end of sign, -1 if there is none.
func (x *lexer) until(from int, sign string) int {
	i := strings.Index(x.src[x.at+from:], sign)
	if i < 0 {
		return -1
	}
	return from + i + len(sign)
}

func (x *lexer) next() bool {
	rest := x.src[x.at:]
	ch := rest[0]
	js := x.lang == JavaScript
	switch {
	case ch == '\n':
		if x.open == 0 && !js {
			x.add(endToken, "\n")
		}
		x.skip(1)
	case ch == ' ' || ch == '\t' || ch == '\r':
		x.at++
	case !js && ch == '\\' && len(rest) > 1:
		x.skip(2)
	case !js && ch == '#' || js && (strings.HasPrefix(rest, "//") || x.at == 0 && strings.HasPrefix(rest, "#!")):
		n := strings.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		x.skip(n)
	case js && strings.HasPrefix(rest, "/*"):
		n := x.until(2, "*/")
		if n < 0 {
			return false
		}
		x.skip(n)
	case isNamePart(ch, false) || ch == '$' && js:
		return x.name()
	case ch >= '0' && ch <= '9':
		n := 1
		for n < len(rest) && (isNamePart(rest[n], true) || rest[n] == '.') {
			n++
		}
		x.add(otherToken, rest[:n])
		x.at += n
	case ch == '"' || ch == '\'' || ch == '`' && js:
		return x.text("")
	case js && ch == '/' && x.regexp():
		return x.pattern()
	default:
		x.sign()
	}

	return true
}

func (x *lexer) name() bool {
	rest := x.src[x.at:]
	n := 1
	for n < len(rest) && (isNamePart(rest[n], true) || rest[n] == '$') {
		n++
	}
	prefix := strings.ToLower(rest[:n])
	if x.lang == Python && n <= 2 && n < len(rest) && (rest[n] == '"' || rest[n] == '\'') &&
		strings.Trim(prefix, "rbfu") == "" {
		x.at += n
		return x.text(prefix)
	}
	x.add(nameToken, rest[:n])
	x.at += n
	return true
}

// text reads a string from its quote.
func (x *lexer) text(prefix string) bool {
	rest := x.src[x.at:]
	quote := rest[:1]
	if x.lang == Python && strings.HasPrefix(rest, strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}

	kind := textToken
	if strings.Contains(prefix, "f") {
		kind = formToken
	}

	raw := strings.Contains(prefix, "r")
	var b strings.Builder
	for i := len(quote); i < len(rest); i++ {
		switch {
		case strings.HasPrefix(rest[i:], quote):
			x.add(kind, b.String())
			x.skip(i + len(quote))
			return true
		case rest[i] == '\\' && i+1 < len(rest):
			if i++; raw {
				b.WriteByte('\\')
			}
			b.WriteByte(rest[i])
		case quote == "`" && strings.HasPrefix(rest[i:], "${"):
			kind = formToken
		case rest[i] == '\n' && len(quote) == 1 && quote != "`":
			return false
		default:
			b.WriteByte(rest[i])
		}
	}

	return false
}

// regexp reports whether a slash begins an expression and doesn't divide.
func (x *lexer) regexp() bool {
	if len(x.tokens) == 0 {
		return true
	}
	switch last := &x.tokens[len(x.tokens)-1]; last.kind {
	case nameToken:
		return last.text == "return" || last.text == "typeof" || last.text == "case"
	case otherToken:
		return !strings.Contains(")]}", last.text) && (last.text[0] < '0' || last.text[0] > '9')
	case endToken:
		return true
	}
	return false
}

func (x *lexer) pattern() bool {
	rest, class := x.src[x.at:], false
	for i := 1; i < len(rest) && rest[i] != '\n'; i++ {
		switch {
		case rest[i] == '\\':
			i++
		case rest[i] == '[':
			class = true
		case rest[i] == ']':
			class = false
		case rest[i] == '/' && !class:
			x.add(formToken, rest[1:i])
			x.at += i + 1
			return true
		}
	}
	return false
}

func (x *lexer) sign() {
	rest := x.src[x.at:]
	for _, s := range signs {
		if strings.HasPrefix(rest, s) {
			x.add(otherToken, s)
			x.at += len(s)
			return
		}
	}
	switch rest[0] {
	case '(', '[', '{':
		x.open++
	case ')', ']', '}':
		x.open = max(x.open-1, 0)
	case ';':
		x.add(endToken, ";")
		x.at++
		return
	}
	x.add(otherToken, rest[:1])
	x.at++
}
