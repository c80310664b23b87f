// Package arch holds the tests that keep the tree's shape: which package may
// import which, what is not imported at all, and that the dialects' tables are
// total.
package arch
