package inspect_test

import (
	"fmt"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/schema"
)

// Check reports common mistakes in a file, with their places.
func ExampleCheck() {
	d, _ := adapter.Find("cursor")
	text := []byte(`{"version": 1, "hooks": {"preToolUse": [{"command": "true", "matcher": "Bash"}]}}`)
	cfg, ds := d.ParseConfig(text, schema.Source{File: "hooks.json"})
	for _, f := range inspect.Check(d, cfg, text, ds, schema.Places{OS: "linux"}) {
		fmt.Printf("%s:%d:%d %s %s; %s\n", f.File, f.Line, f.Col, f.Severity, f.Code, f.Fix)
	}
	// Output:
	// hooks.json:1:72 weaker HB104; write Shell
}
