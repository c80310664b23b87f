package trust

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/internal/swap"
	"github.com/hookbridge/hookbridge/schema"
)

// Records are the files that list trusted projects, with one line "fingerprint folder" each. The zero value has no
// file.
type Records struct {
	File string // in the user's home folder
	// Moved is the file in XDG_CONFIG_HOME for new records if that is set; "": File is used.
	Moved string
}

// Variable names the settings folder of a user, which contains the record.
const Variable = "XDG_CONFIG_HOME"

// RecordsIn returns the records of a user.
func RecordsIn(env schema.Environ, home string) (r Records) {
	if home != "" { // a relative path would let a repository bring its own record
		r.File = filepath.Join(home, ".config", "hookbridge", "trusted")
	}
	if dir := env.Get(Variable); filepath.IsAbs(dir) {
		r.Moved = filepath.Join(dir, "hookbridge", "trusted")
	}
	return r
}

// None reports whether there is no place for a record.
func (r Records) None() bool { return r.File == "" && r.Moved == "" }

// Of lists the recorded fingerprints of the project. It ignores a file that others could have written, or that may have
// come with the repository.
func (r Records) Of(g *Ground) (sums []string) {
	project := dialect.RealPath(g.Places.Project)
	for _, file := range []string{r.File, r.Moved} {
		if file == "" || file == r.Moved && g.near(file) || g.Owns(file) {
			continue
		}
		text, err := state.ReadOwn(file)
		if err != nil {
			continue
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if sum, dir, ok := strings.Cut(line, "  "); ok && dialect.SameFolder(dir, project) {
				sums = append(sums, sum)
			}
		}
	}
	return sums
}

// Set replaces the project's fingerprints, or adds to them with more; without any it withdraws the trust, from every
// record. Each file is replaced as a whole. It fails for a place that Of doesn't read.
func (r Records) Set(g *Ground, sums []string, more bool) error {
	to := r.File
	if r.Moved != "" {
		to = r.Moved
	}
	switch {
	case to == "":
		return errors.New("there is no home folder for the record")
	case strings.ContainsAny(g.Places.Project, "\r\n"):
		return errors.New("the folder's name contains a line break; such a project can't be trusted")
	case to == r.Moved && g.near(to):
		return errors.New(Variable + " names " + filepath.Dir(filepath.Dir(to)) +
			", where a record may have come with the project, so hookbridge reads none there; unset the variable")
	case g.Owns(to):
		return errors.New("the record " + to + " would be in the project itself; name your home folder with --home")
	}
	if err := write(to, g.Places.Project, sums, more); err != nil || len(sums) > 0 || r.File == "" || r.File == to {
		return err
	}
	return write(r.File, g.Places.Project, nil, false)
}

// write changes a file's records of the project.
func write(file, project string, sums []string, more bool) error {
	project = dialect.RealPath(project)
	text, err := state.ReadOwn(file)
	if err != nil {
		return err
	}

	var out []byte
	for line := range strings.SplitSeq(string(text), "\n") {
		sum, dir, ok := strings.Cut(line, "  ")
		if ok && (!dialect.SameFolder(dir, project) || more && !slices.Contains(sums, sum)) {
			out = append(out, line+"\n"...)
		}
	}

	for _, sum := range sums {
		out = append(out, sum+"  "+project+"\n"...)
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}

	tmp, err := os.CreateTemp(dir, ".trusted-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(out)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return swap.Patiently(func() error { return os.Rename(tmp.Name(), file) })
}
