// Package arch tests the structure of the tree: which package may import which, what isn't imported at all, and that
// the dialects' tables are complete.
package arch
