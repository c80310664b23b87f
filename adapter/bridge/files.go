package bridge

import (
	"path/filepath"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// files reads the files that calls are about, each once.
type files struct{ texts map[string]fileText }

// A fileText is what a file holds, or how it begins if it is very large.
type fileText struct {
	text      string
	whole, ok bool
}

// maxStart is how much of a file is read to show how it begins.
const maxStart = 32 << 20

// start reads the file that the call is about.
func (f *files) start(c *schema.Call) fileText {
	path := targetPath(c)
	if path == "" {
		return fileText{}
	}
	if t, ok := f.texts[path]; ok {
		return t
	}
	text, size, err := discover.ReadStart(path, maxStart)
	if err != nil {
		return fileText{}
	}
	if f.texts == nil {
		f.texts = map[string]fileText{}
	}
	f.texts[path] = fileText{string(text), size <= discover.MaxFile, true}
	return f.texts[path]
}

// text is the file's text if it is known as a whole.
func (f *files) text(c *schema.Call) (string, bool) {
	t := f.start(c)
	return t.text, t.ok && t.whole
}

// targetPath is the file that the call is about, "" if it names none.
func targetPath(c *schema.Call) string {
	raw, _ := c.Tool.Input.Get(schema.RolePath)
	path, _ := ordjson.String(raw)
	if path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(c.Cwd, path)
	}
	return path
}
