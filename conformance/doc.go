// Package conformance says what every translation between the dialects must
// give, in vectors that know nothing of Go: each is a small JSON file under
// vectors/ with an input, the output and the findings that are due, and where
// that is known from. Run asks an implementation about them: hookbridge itself
// (Own), or a program in any language (Program). README.md tells how to write
// either; live/ holds the scenarios that the real clients confirm.
package conformance
