package shell

import (
	"strings"
	"testing"
)

func TestDeletions(t *testing.T) {
	for line, want := range map[string]string{
		"ls; echo rm; grep -r rm src": "", "git rm --cached a": "", "shred a": "", "echo 'rm a'": "",
		"docker run --rm x": "", "npm run rm-dist": "", "rm a": "a",
		"rm -rf -- -a 'b c' ./d":                   "-a, b c, ./d",
		"/bin/rm -f a; \\rm b && unlink c":         "a, b, c",
		"cd x && rm a; (cd y; rm b); rm c":         "x:a, x/y:b, x:c",
		"cd /t; rm a":                              "/t:a",
		"sudo -u root rm a":                        "a",
		"env A=1 nice -n 5 rm a":                   "a",
		"git rm a b":                               "a, b",
		"git -C d rm -r a":                         "d:a",
		"bash -c 'rm a'":                           "a",
		"sh -c \"cd d && rm a\"; rm b":             "d:a, b",
		"eval rm a":                                "a",
		"bash <<E\nrm a\nE":                        "a",
		"echo $(rm a) \"`rm b`\"":                  "a, b",
		"f() { rm a; }; f":                         "a",
		"X=(1 $(rm a) \"`rm b`\"); c":              "a, b",
		"X\\\nY=1 rm a":                            "a",
		"if [[ $x =~ (b|c) ]]; then rm a; fi 2>&1": "a",
		"if x; then rm a; else rmdir b; fi":        "a, b",
		"ls | xargs rm -f":                         "?",
		"ls | xargs -I{} rm {}":                    "?",
		"find . -name x -exec rm {} +":             "?",
		"find d e -delete":                         "d, e",
		"find -name x -delete":                     "?",
		"rm \"$f\" *.txt ~/a":                      "$f, *.txt, ~/a",
		"Remove-Item -Recurse a":                   "a",
		"del a":                                    "a",
		"shred -u a":                               "a",
		"gio trash a":                              "a",
		"rm a a":                                   "a",
		"rm 'a":                                    "a",
		"coproc rm a; [[ -n <(rm b) ]]":            "a, b", "[[<(rm a) b ]]": "a", "2\\\n>c rm a": "a",
		"!>f rm a": "a", "{ b; }\\\n; rm a": "a", "echo $((1+${ rm a; }))": "?",
		"a ${ rm b; }": "?",
		"rm (":         "?",
		"x=(rm) )":     "?",
	} {
		var got []string
		for _, d := range Deletions(line) {
			s := d.Path.Text()
			if d.Path.Raw == "" {
				s = "?"
			}
			if d.Dir != "" {
				s = d.Dir + ":" + s
			}
			got = append(got, s)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%s: %q, want %q", line, s, want)
		}
	}
}
