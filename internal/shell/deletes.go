package shell

import (
	"path"
	"slices"
	"strings"
)

// A Deletion is a file or folder that a command deletes.
type Deletion struct {
	Path Word   // as it stands; no word if the line doesn't say what is deleted
	Dir  string // the folder that a relative path starts from, as in Run
}

// deleters are programs that delete their arguments. Case doesn't count: some
// shells don't tell them apart.
var deleters = []string{"rm", "unlink", "rmdir", "shred", "rimraf", "trash", "trash-put", "gio", "del", "erase", "rd", "ri", "remove-item"}

// Deletions lists what a command line deletes. What a program deletes by itself, as
// make clean does, stays unseen. A line that can't be read and names such a program
// deletes something unknown.
func Deletions(line string) (all []Deletion) {
	lower := strings.ToLower(line)
	if !slices.ContainsFunc(append(deleters, "-delete"), func(name string) bool { return strings.Contains(lower, name) }) {
		return nil
	}
	runs, ok := Runs(line)
	for i := range runs {
		if all = append(all, runs[i].deletions()...); len(all) > 8*maxRuns {
			break
		}
	}
	if !ok && slices.ContainsFunc(strings.FieldsFunc(lower, notInWord), func(w string) bool { return slices.Contains(deleters, path.Base(w)) }) {
		all = append(all, Deletion{})
	}
	return unique(all)
}

func notInWord(c rune) bool { return strings.ContainsRune(" \t\r\n;&|<>()'\"`{}$\\", c) }

func unique(all []Deletion) (out []Deletion) {
	seen := map[[2]string]bool{}
	for _, d := range all {
		if key := [2]string{d.Dir, d.Path.Raw}; !seen[key] {
			seen[key] = true
			out = append(out, d)
		}
	}
	return out
}

func (r *Run) deletions() (all []Deletion) {
	name, args := strings.ToLower(r.Program()), r.Words[1:]
	switch {
	case name == "git":
		at := slices.IndexFunc(args, func(w Word) bool { return w.Text() == "rm" })
		if at < 0 {
			return nil
		}
		dir := r.Dir
		for i, w := range args[:at] {
			if i > 0 && args[i-1].Text() == "-C" {
				dir = path.Join(dir, w.Text())
			}
		}
		if slices.ContainsFunc(args, func(w Word) bool { return w.Text() == "--cached" }) { // the file stays
			return nil
		}
		return operands(args[at+1:], dir, r.Fed)
	case name == "gio":
		if len(args) == 0 || args[0].Text() != "trash" && args[0].Text() != "remove" {
			return nil
		}
		return operands(args[1:], r.Dir, r.Fed)
	case name == "find":
		return r.findDeletions()
	case name == "shred" && !slices.ContainsFunc(args, removes):
		return nil
	case slices.Contains(deleters, name):
		return operands(args, r.Dir, r.Fed)
	}
	return nil
}

// removes reports whether an option has shred remove the file.
func removes(w Word) bool {
	text := w.Text()
	return strings.HasPrefix(text, "--remove") || strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && strings.Contains(text, "u")
}

// operands are the arguments that aren't options. If the program is given more, what
// it deletes is not known.
func operands(args []Word, dir string, fed bool) (all []Deletion) {
	plain := false
	for _, w := range args {
		switch text := w.Text(); {
		case text == "--" && !plain:
			plain = true
		case !plain && strings.HasPrefix(text, "-"), text == "{}":
		default:
			all = append(all, Deletion{Path: w, Dir: dir})
		}
	}
	if fed {
		all = append(all, Deletion{Dir: dir})
	}
	return all
}

func (r *Run) findDeletions() (all []Deletion) {
	if !slices.ContainsFunc(r.Words, func(w Word) bool { return w.Text() == "-delete" }) {
		return nil
	}
	for _, w := range r.Words[1:] {
		if text := w.Text(); text == "" || strings.ContainsAny(text[:1], "-(!") {
			break
		}
		all = append(all, Deletion{Path: w, Dir: r.Dir})
	}
	if all == nil {
		all = []Deletion{{Dir: r.Dir}}
	}
	return all
}
