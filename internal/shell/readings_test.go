package shell

import "testing"

// readings are lines that the library, bash and an earlier reader read differently, with the result of Parse, and why.
var readings = []struct{ line, want, why string }{
	{"ls # a \\\nrm b", "error", "the library joins the lines, and hides rm; bash ends a comment with its line"},
	{"X=1 # a \\\nrm b", "error", "the same behind an assignment"},
	{">f # a \\\nrm b", "error", "the same behind a redirection, where the word goes on"},
	{"X= # a \\\nrm b", "error", "the same in an assignment"},
	{"`a` # b \\\n'c'", "error", "the same in a word"},
	{"$(ls \"a\"#b; rm c\n)", "error", "within a substitution, the library takes #b for a comment"},
	{"X=(\"a\"#b $(rm c)\n)", "error", "the same in an array"},
	{"$(ls $?\\\n#b; rm c\n)", "error", "the same behind a joined line"},
	{"a <<\"b\\\"c\"\nb\"c\nrm d\nb\\\"c\n", "error", "the library looks for another end"},
	{"a <<@(b)\n\nrm d\n", "error", "the same"},
	{"a <<$'b'\nb\n", "error", "the same, for shells without $''"},
	{"a <<E\n${x:-\nE\nrm b\n}\nE\n", "error", "a shell ends the text at the first E"},
	{"a <<E; (b\n$(c)\nE\n)\nrm d\nE\n", "error", "the library has the text begin behind the parentheses"},
	{"a $(b <<E)\nrm c\nE\n", "error", "shells differ on where the text of a substitution's document is"},
	{"`a <<E\nE\n`", "error", "the same"},
	{"a <<E \"b\nE\nc\"\nE\n", "[a][b\nE\nc]<<E''", "the text begins behind the quotes"},
	{"a <<E \"b\nE\nc\"\nd\nE\n", "error", "the same; not told from one that begins in them"},
	{"a <<E\nb", "error", "no end"},
	{"a\rb", "error", "a blank for the library, text for bash"},
	{"a '\r' \"\r\r\n\"", "[a][\r][\r\r\n]", "text for both"},
	{"a;\rb", "error", "a blank for the library, text for bash"},
	{"a\r\nb", "[a]\n[b]", "a line end of Windows, as before"},
	{"a \x00b", "error", "the library and bash skip it; no program is started with one"},
	{"a \xff'\xfe'", "[a][\xff\xfe]", "text for bash; the library refuses what is no UTF-8"},
	{"a @(b)", "error", "a pattern of which the library reads no commands"},
	{"a ${ rm b; }", "error", "a command for new versions of bash only"},
	{"a $((b); c)", "error", "the library reads it as a calculation only"},
	{"a $((1+$(b)))", "[a][$((1+$(b)))]{[b]}", "read; not before the library"},
	{"((1+$(b)))", "#10[((1+$(b)))]{[b]}", "read; not before the library"},
	{"let x=1>(rm)", "error", "a comparison for the library"},
	{"[[ a =~ $(b) ]]", "error", "the library may lose its place"},
	{"a $'b\\'; rm c #'", "error", "a shell without $'' ends it at the second quote"},
	{"a $'b'", "[a][$'b']", "as before"},
	{"declare A=(b)c", "error", "one word for bash, two for the library"},
	{"X=1 then", "error", "a command for bash, nothing for Claude Code"},
	{"else", "error", "a command for the library"},
	{"! ! a", "error", "read by bash, not by the library"},
	{"a | ! b", "error", "the same, by some versions"},
	{"z[0]=1 a", "error", "the same"},
	{"( )", "error", "nothing for bash either"},
	{"X=(a b) c", "error", "the same"},
	{"time -p a | b", "[time][-p][a]|[b]", "keywords of the library are words"},
	{"time ! a", "error", "read by bash"},
	{"coproc a X=1", "[coproc][a][X=1]", "in order"},
	{"coproc N { a; }", "error", "no simple command"},
	{"time { a", "[time][{][a]…", "an argument for Claude Code"},
	{"export A=$(b) C", "[export][A=$(b)]{[b]}[C]", "keywords of the library are words"},
	{"!>f a", "![a]>f''", "read; not before the library"},
	{"f() { a; } && b", "#8f{#2{[a];}&&[b]}", "the library takes the rest for a part of the function"},
	{"a 'b", "[a][b]…", "as before"},
	{"$(a 'b", "error", "as before"},
	{"if a; then 'b", "#3{[a];}{[b]}…", "as before"},
	{"for i in a; do b", "#5i[a]{[b]}…", "as before"},
	{"for i in a", "error", "as before"},
	{"if a; then b; done", "error", "as before"},
	{"(if a; then b)", "error", "read before, though no shell does"},
	{"if a && ", "error", "as before"},
	{"case a in b) c", "error", "as before"},
}

// TestReadings: where readers differ, the line is rejected, or read as bash does; no command is hidden.
func TestReadings(t *testing.T) {
	for _, tt := range readings {
		got := "error"
		if s, ok := Parse(tt.line); ok {
			got = show(s)
		}
		if got != tt.want {
			t.Errorf("%q: %s, want %s (%s)", tt.line, got, tt.want, tt.why)
		}
	}
}
