package adapter_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// FuzzNeighbours uses any content for the other files of an agent that hookbridge reads: its register of plugins, its
// MCP servers, its own settings.
func FuzzNeighbours(f *testing.F) {
	f.Add([]byte(`{"enabledPlugins":{"a@m":true},"plugins":{"a@m":[{"installPath":"/x/../y"}]},` +
		`"mcpServers":{"s":{"command":"c","args":["a"],"url":"u"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		read := func(string) ([]byte, error) { return text, nil }
		p := schema.Places{OS: "linux", Home: "/home/u", Project: "/p"}
		for _, d := range adapter.Dialects() {
			cfg, _ := d.ParseConfig(text, d.Given("/p/x.json"))
			if cfg == nil {
				continue
			}
			for _, s := range d.Plugins(p, []*schema.Config{cfg}, read) {
				if !filepath.IsAbs(s.File) || s.File != filepath.Clean(s.File) || strings.Contains(s.File, "\x00") {
					t.Fatalf("%s: plugin at %q", d.Profile().Name, s.File)
				}
			}
			d.Resolve([]*schema.Config{cfg})
			if importer := d.Abilities().Imports; importer != nil {
				importer.Imported(p, read)
			}
			c := &schema.Call{Dialect: d.Profile().Name, Event: schema.PreTool}
			c.Tool.Kinds, c.Tool.Name = []schema.Kind{schema.MCP}, "t"
			if namer := d.Abilities().ServerNames; namer != nil {
				namer.NameServer(c, d.Abilities().Servers.Servers(p, read))
			}
		}
	})
}
