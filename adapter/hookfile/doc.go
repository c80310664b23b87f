// Package hookfile reads hook files of either kind: an agent's own, and Markdown files
// with hooks in their front matter.
package hookfile
