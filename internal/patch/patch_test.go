package patch

import (
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sample = `*** Begin Patch
*** Add File: a.txt
+one
+two
*** Update File: b.txt
*** Move to: c.txt
@@ func main
 kept
-old
+new
 kept too
@@
-last
+end
*** End of File
*** Delete File: d.txt
*** End Patch
`

func TestParse(t *testing.T) {
	files, err := Grammar{}.Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	want := []File{
		{Op: Add, Path: "a.txt", Content: "one\ntwo\n"},
		{Op: Update, Path: "b.txt", MoveTo: "c.txt", Hunks: []Hunk{
			{Anchor: "func main", Lines: []Line{{' ', "kept"}, {'-', "old"}, {'+', "new"}, {' ', "kept too"}}},
			{Lines: []Line{{'-', "last"}, {'+', "end"}}, AtEnd: true},
		}},
		{Op: Delete, Path: "d.txt"},
	}
	if d := cmp.Diff(want, files); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if got := string(Append(nil, files)); got != sample {
		t.Errorf("written back:\n%s", got)
	}
	old, new := files[1].Hunks[0].Changed()
	if old != "old\n" || new != "new\n" {
		t.Errorf("changed: %q %q", old, new)
	}
}

func TestMistakes(t *testing.T) {
	for _, text := range []string{"", "*** Begin Patch\n*** End Patch", "x", "*** Begin Patch\nx\n*** End Patch",
		"*** Begin Patch\n*** Add File: a\nx\n*** End Patch",
		"*** Begin Patch\n*** Update File: a\n@@\nx\n*** End Patch"} {
		if files, err := (Grammar{}).Parse(text); err == nil {
			t.Errorf("%q: %+v", text, files)
		}
	}
}

func TestFind(t *testing.T) {
	one := "cd x && apply_patch <<'EOF'\n" + sample + "EOF\n"
	if found := (Grammar{}).Find(one + one); len(found) != 2 || len(found[0]) != 3 {
		t.Errorf("%+v", found)
	}
	added := begin + "\n*** Add File: a\n+" + begin + "\n+" + end + "\n*** Add File: b\n+x\n" + end
	if found := (Grammar{}).Find("apply_patch '" + added + "'"); len(found) != 1 || len(found[0]) != 2 {
		t.Errorf("%+v", found)
	}
	for _, c := range []string{
		"apply_patch <<E\n" + begin + "\n???\n*** Add File: .env\n" + end + "\nE", // can't be parsed
		"apply_patch <<E\n" + begin + "\n*** Add File: .env\n+x\nE",               // has no end
		"apply_patch <<E\n" + begin + "\n*** Add File: .env\n+x\nE\necho " + begin,
		"apply_patch <<E\n" + begin + "\r*** Add File: .env\r" + end + "\nE",
	} {
		found := (Grammar{}).Find(c)
		if len(found) != 1 || len(found[0]) != 1 || found[0][0].Op != Add || found[0][0].Path != ".env" {
			t.Errorf("%q: %+v", c, found)
		}
	}
	for _, c := range []string{"ls", "apply_patch x", "echo '" + begin + "'", "apply_patch <<EOF\n" + begin + "\n"} {
		if found := (Grammar{}).Find(c); found != nil {
			t.Errorf("%q: %+v", c, found)
		}
	}
}

// TestRead checks that an unparsable patch still gives the files that it names, with their text: some clients apply it.
func TestRead(t *testing.T) {
	added := []File{{Op: Add, Path: ".env", Content: "x\n"}}
	for text, want := range map[string][]File{
		begin + "\n*** Delete File: a\n?? *** Move to: .env\n" + end: {{Op: Delete, Path: "a"},
			{Op: Add, Path: ".env"}},
		begin + "\n*** Add File:.env\n+x\n" + end:                              added,
		begin + "\n*** Add File:\u00a0.env\n+x\n" + end:                        added,
		begin + "\n*** Add File:\r.env\n+x\n" + end:                            added,
		"*** Add File: .env\n+x\n":                                             added,
		"Here:\n" + begin + "\n*** Add File: .env\n+x\n" + end + "\nthat's it": added,
		begin + "\n*** Add File: .env\nsee\n+x\n" + end:                        added,
		begin + "\n*** Update File:a\n*** Move to:.env\n@@\n-y\n+x\n" + end: {{Op: Update, Path: "a", MoveTo: ".env",
			Hunks: []Hunk{{Lines: []Line{{'-', "y"}, {'+', "x"}}}}}},
	} {
		files, err := Grammar{}.Read(text)
		if d := cmp.Diff(want, files); d != "" || err == nil {
			t.Errorf("%q: %v (-want +got)\n%s", text, err, d)
		}
	}
}

// TestBlanks checks which blanks belong to a path.
func TestBlanks(t *testing.T) {
	text := begin + "\n*** Update File: \ta\n*** Move to: .env\u0085\n@@\n-x\n" + end
	for _, c := range []struct {
		g        Grammar
		path, to string
	}{
		{Grammar{}, "\ta", ".env"}, {Grammar{Dropped: "\tn"}, "a", ".ev"},
		{Grammar{Trimmed: true, Blank: ScriptBlank}, "a", ".env\u0085"},
	} {
		files, err := c.g.Parse(text)
		if err != nil || files[0].Path != c.path || files[0].MoveTo != c.to {
			t.Errorf("%v %+v", err, files)
		}
	}
}

// TestGrowth counts the bytes that are allocated for patches of growing length: twice the text must take no more than
// twice the memory, and some.
func TestGrowth(t *testing.T) {
	g := Grammar{LoneCR: true, Indented: true}
	for name, unit := range map[string]string{
		"added lines": "+x\n", "added CR": "+x\r", "files": "*** Add File: a\n+x\n",
		"moves":  "*** Update File: a\n*** Move to: b\n@@\n-x\n",
		"begins": begin + "\n", "hunks": "@@\n-x\n", "documents": "<<EOF\n", "ends": end + "\n",
	} {
		for _, head := range []string{begin + "\n*** Add File: a\n", begin + "\n*** Update File: a\n"} {
			spent := func(n int) uint64 {
				text := head + strings.Repeat(unit, n) + end
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				files, _ := g.Read(text)
				Append(nil, files)
				g.Find(text)
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			if one, four := spent(2000), spent(8000); four > 6*one+1<<16 {
				t.Errorf("%s: %d bytes for 2,000, %d for 8,000", name, one, four)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Fuzz(func(t *testing.T, text string) {
		files, err := Grammar{}.Parse(text)
		if err != nil {
			return
		}
		again, err := Grammar{}.Parse(string(Append(nil, files)))
		if err != nil {
			t.Fatalf("%q: %v", Append(nil, files), err)
		}
		if len(again) != len(files) {
			t.Fatalf("%d files, %d after writing", len(files), len(again))
		}
	})
}
