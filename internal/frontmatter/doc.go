// Package frontmatter reads hooks that stand in the YAML front matter of a
// Markdown file and hands them on as JSON whose positions are those of the
// file.
//
// [Extract] finds the front matter. [JSON] takes the value under one of its
// keys and spells it as JSON, padded with newlines and blanks, so that whoever
// reads the JSON and complains about a place complains about the right place
// of the Markdown file, without having heard of YAML.
//
// It is the only package that imports the YAML library, and it asks of it only
// a tree of nodes: never a decoding into Go values, which can panic and in
// which anchors multiply. What a line of YAML means must be plain from that
// line, so aliases, merge keys and tags beyond the core ones are refused
// rather than followed, and so are keys that occur twice.
package frontmatter
