package state

import (
	"path/filepath"
	"strings"
)

// logExt ends the folder of a session's logs.
const logExt = ".log"

// Log returns the path of one of the session's logs: files that only grow, in a
// private folder, and that are forgotten with the session. name is a plain file
// name; any other gets the path of a file that ExtendLog refuses to write.
func (s Store) Log(session, name string) string {
	return filepath.Join(s.files(session).logs, name)
}

// ExtendLog makes a log of size bytes one of size+len(b): it cuts what an
// interrupted call left behind size and appends b. A log shorter than size is
// ErrShort. Call it within Update of the same session, so that no one else
// writes, and remember the new size there.
func (s Store) ExtendLog(session, name string, size int64, b []byte) error {
	path := s.Log(session, name)
	if !isPlain(name) {
		return &pathError{path, "is not a plain name", ErrUnsafe}
	}
	if err := checkDir(filepath.Dir(path), true); err != nil {
		return err
	}
	return extendFile(path, size, b)
}

// isPlain reports whether name is that of a file and of no other place, on
// every system.
func isPlain(name string) bool {
	return name != "" && name[0] != '.' && len(name) <= 200 && !strings.ContainsAny(name, "/\\:\x00")
}
