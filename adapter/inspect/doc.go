// Package inspect judges hook files and says how their hooks do under another
// agent: [Check] finds mistakes, [Examine] the hooks that don't work, [Matrix] what
// carries, and [Synthesize] makes payloads to try hooks with.
package inspect
