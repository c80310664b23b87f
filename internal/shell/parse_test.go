package shell

import (
	"strconv"
	"strings"
	"testing"
)

// show writes a script with every word in brackets and every nested list in
// braces.
func show(s Script) string {
	var b strings.Builder
	for _, it := range s.Items {
		b.WriteString(strings.Repeat("!", it.Negations) + showCommand(&it.Command) + it.Op)
	}
	if s.Unclosed {
		b.WriteString("…")
	}
	return b.String()
}

func showCommand(c *Command) string {
	var b strings.Builder
	if c.Kind != Simple {
		b.WriteString("#" + strconv.Itoa(int(c.Kind)) + c.Name)
	}
	for _, words := range [][]Word{c.Assigns, c.Words, c.In} {
		for _, w := range words {
			b.WriteString("[" + w.Text() + "]")
			for _, p := range w.Parts {
				for _, inner := range p.Scripts {
					b.WriteString("{" + show(inner) + "}")
				}
			}
		}
	}
	for _, r := range c.Redirects {
		b.WriteString(r.Descriptor + r.Op + r.Target.Text() + "'" + r.Body.Raw + "'")
	}
	for _, l := range c.Lists {
		b.WriteString("{" + show(l) + "}")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		"":                                "",
		"# only":                          "",
		"a b":                             "[a][b]",
		`a 'b c' "d $e" f\ g`:             "[a][b c][d $e][f g]",
		"a&&b||c|d|&e;f&":                 "[a]&&[b]||[c]|[d]|&[e];[f]&",
		"a\nb # c\n\nc":                   "[a]\n[b]\n[c]",
		"! ! a":                           "error",
		"X=1 Y+=2 a W=4":                  "[X=1][Y+=2][a][W=4]",
		"X=1 z[0]=3 y[$(a)]+=2":           "[X=1][z[0]=3][y[$(a)]+=2]{[a]}",
		"X=(a b); c":                      "[X=(a b)];[c]",
		"X=(a $(b) <(c)); d":              "[X=(a $(b) <(c))]{[b]}{[c]};[d]",
		"X\\\nY=1 a":                      "[XY=1][a]",
		"2>&1 a >b <c":                    "[a]2>&1''>b''<c''",
		"{fd}>a b":                        "[b]{fd}>a''",
		"a <<E b\nx $y\nE\nc":             "[a][b]<<E'x $y\n'\n[c]",
		"a <<-'E'\n\tx\n\tE":              "[a]<<-E'\tx\n'",
		"a $(b `c`) ${d} ${e:-$(f)} $((1": "error",
		"a $(b `c`)":                      "[a][$(b `c`)]{[b][`c`]{[c]}}",
		"a ${b:-$(c)}":                    "[a][${b:-$(c)}]{[c]}",
		"a $((1 + (2))) $[3]":             "[a][$((1 + (2)))][$[3]]",
		"a <(b) >(c)":                     "[a][<(b)]{[b]}[>(c)]{[c]}",
		"(a; b)":                          "#1{[a];[b]}",
		"{ a; } > b":                      "#2>b''{[a];}",
		"if a; then b; else c; fi":        "#3{[a];}{[b];}{[c];}",
		"while a; do b; done":             "#4{[a];}{[b];}",
		"for i in a b; do c; done":        "#5i[a][b]{[c];}",
		"for ((;;)); do c; done":          "#5{[c];}",
		"[[ a =~ (b|c d)$ && -f e ]]":     "#7[a][(b|c d)$][e]",
		"[[ a =~ (b ]]":                   "error", "[[ a =~ ]]": "error",
		"[[ a =~ =~ ]]":           "#7[a][=~]",
		"{ a; } 2>&1 >b; (c) 2>d": "#22>&1''>b''{[a];};#12>d''{[c]}",
		"{ a; } 2":                "error", "{ a; } 2 >b": "error",
		"[[ a < b && -f c ]]":           "#7[a][b][c]",
		"f() { a; }":                    "#8f{#2{[a];}}",
		"function f { a; }":             "#8f{#2{[a];}}",
		"case a in b|c) d;; *) e; esac": "#9[a][b][c][*]{[d]}{[e];}",
		"((1+1)); a":                    "#10[((1+1))];[a]",
		"a 'b":                          "[a][b]…",
		"if a":                          "#3{[a]}…",
		"a \"b":                         "error", "a )": "error", "(a": "error", "a |": "error", "; a": "error",
		"a ;; b": "error", "a(": "error",
		"then a": "error", "X=1 then": "error", "else": "error",
		"a <<E\nx": "error", "a >": "error", "a `b": "error", "@(a)": "error",
		"a \\": "error"} {
		got := "error"
		if s, ok := Parse(line); ok {
			got = show(s)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

func TestWord(t *testing.T) {
	s, ok := Parse(`'a' b "c" \d e$f 'g'h ` + "'i")
	if !ok || !s.Unclosed {
		t.Fatal(ok, s)
	}
	words := s.Items[0].Command.Words
	for i, want := range []string{"fixed", "fixed bare", "fixed", "fixed", "", "fixed", "fixed"} {
		var got []string
		if words[i].Fixed() {
			got = append(got, "fixed")
		}
		if words[i].Bare() {
			got = append(got, "bare")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q", words[i].Raw, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a \"$(b `c`)\" <<E\n${x}\nE\n", "((1))&&[[ a < b ]] || f() { x; }",
		"case x in (a) b;; esac; for i in $(x); do :; done"} {
		f.Add(s)
	}
	for _, tt := range readings {
		f.Add(tt.line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s, ok := Parse(line)
		if ok && len(show(s)) > 100+2000*len(line) {
			t.Errorf("%q has grown", line)
		}
		Deletions(line)
		Environment(line, func(string) string { return "" })
	})
}
