// Package frontmatter reads hooks in the YAML front matter of a Markdown file and converts them to JSON with the
// positions of the file.
//
// [Rules] describe how an agent reads front matter. [Rules.Extract] finds it. [Rules.JSON] takes the value under one of
// its keys and writes it as JSON, padded with newlines and blanks. A finding about a position in the JSON is therefore
// a finding about the same position in the Markdown file, and the JSON's reader needs nothing about YAML.
//
// Aliases and merge keys of front matter are followed, as agents do. hookbridge's own documents ([Document]) have none.
package frontmatter
