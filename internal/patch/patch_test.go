package patch

import (
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
	files, err := Parse(sample)
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
		"*** Begin Patch\n*** Add File: a\nx\n*** End Patch", "*** Begin Patch\n*** Update File: a\n@@\nx\n*** End Patch"} {
		if files, err := Parse(text); err == nil {
			t.Errorf("%q: %+v", text, files)
		}
	}
}

func TestInCommand(t *testing.T) {
	one := "cd x && apply_patch <<'EOF'\n" + sample + "EOF\n"
	if found := InCommand(one + one); len(found) != 2 || len(found[0]) != 3 {
		t.Errorf("%+v", found)
	}
	for _, c := range []string{"ls", "apply_patch x", "echo '" + begin + "'", "apply_patch <<EOF\n" + begin + "\n"} {
		if found := InCommand(c); found != nil {
			t.Errorf("%q: %+v", c, found)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Fuzz(func(t *testing.T, text string) {
		files, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(string(Append(nil, files)))
		if err != nil {
			t.Fatalf("%q: %v", Append(nil, files), err)
		}
		if len(again) != len(files) {
			t.Fatalf("%d files, %d after writing", len(files), len(again))
		}
	})
}
