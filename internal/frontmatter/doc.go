// Package frontmatter reads hooks in the YAML front matter of a Markdown file and
// converts them to JSON whose positions are those of the file.
//
// [Extract] finds the front matter. [JSON] takes the value under one of its
// keys and writes it as JSON, padded with newlines and blanks. A finding about a
// position in the JSON is therefore a finding about the same position in the Markdown
// file, and its reader needs no knowledge of YAML.
//
// What a line of YAML means must be plain from that line, so aliases, merge keys and tags beyond the core ones are
// refused rather than followed, and so are keys that occur twice.
package frontmatter
