// Package conformance holds what shows that hookbridge is right: the scenarios
// in live/ that are run through the real clients, natively and through the
// bridge, and their comparison in LIVE.md.
package conformance
