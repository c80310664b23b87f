package hookfile

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// PluginFile returns the file of a plugin's folder that lists its hooks: the manifest, or the file that is read without
// one; "" if the folder isn't a plugin of d.
func PluginFile(d dialect.Dialect, dir string) string {
	plugins := &d.Profile().Plugins
	if file, _ := plugins.Manifest(dir, discover.Read); file != "" {
		return file
	}
	for _, name := range plugins.Hooks {
		if file := filepath.Join(dir, filepath.FromSlash(name)); discover.IsFile(file) {
			return file
		}
	}
	return ""
}

// PluginFiles lists the files with hooks of the plugin that a manifest belongs to; ok is false if the file isn't a
// manifest of d. It doesn't read listed files outside the plugin, not even through links.
func PluginFiles(d dialect.Dialect, manifest string) (files []dialect.PluginFile, root string, ds schema.Diagnostics,
	ok bool) {
	plugins := &d.Profile().Plugins
	if root = plugins.RootOf(manifest); root == "" {
		return nil, "", nil, false
	}
	all, ds := plugins.Files(root, discover.Read)
	for _, f := range all {
		usual := func(name string) bool { return f.File == filepath.Join(root, filepath.FromSlash(name)) }
		if _, err := os.Lstat(f.File); err != nil && slices.ContainsFunc(plugins.Hooks, usual) {
			continue // no manifest has to list it, and no plugin has to have it
		}
		if !staysIn(root, f.File) {
			ds.Add(schema.CodeRefusedFile, "/hooks",
				f.File+" is outside the plugin, so the hooks of that file don't run").File = manifest
			continue
		}
		files = append(files, f)
	}
	return files, root, ds, true
}

// staysIn reports whether a file is inside a folder, with links resolved. A missing file counts as inside.
func staysIn(root, file string) bool {
	dir, err := filepath.EvalSymlinks(root)
	at, err2 := filepath.EvalSymlinks(file)
	if err != nil || err2 != nil {
		return true
	}
	return dialect.Within(dir, at)
}
