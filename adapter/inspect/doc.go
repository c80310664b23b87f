// Package inspect examines hook files and how their hooks work under another
// agent: [Check] finds mistakes, [Examine] finds hooks that don't work, [Matrix] lists
// what is supported, and [Synthesize] makes payloads to try hooks with.
package inspect
