package cli

import "testing"

// TestSchemaLine checks that a generated file names a schema of the newest release, and no schema before the first
// release.
func TestSchemaLine(t *testing.T) {
	const want = "# yaml-language-server: " +
		"$schema=https://home.invalid/h/releases/latest/download/scenarios.schema.json\n"
	if got := schemaLine("https://home.invalid/h", "scenarios"); got != want {
		t.Error(got)
	}
	if got := schemaLine("", "scenarios"); got != "" {
		t.Error(got)
	}
}
