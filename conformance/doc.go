// Package conformance defines the result of every translation between the dialects
// in vectors that don't depend on Go. Each is a small JSON file under vectors/ with
// an input, the expected output and findings, and the source of that expectation.
// Run tests an implementation with them: hookbridge itself (Own), or a program in
// any language (Program). README.md describes how to write either; live/ has the
// scenarios that run in the real clients.
package conformance
