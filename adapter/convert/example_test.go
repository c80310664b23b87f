package convert_test

import (
	"fmt"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/schema"
)

// A Claude Code settings file becomes a Cursor hooks.json, and anything that Cursor doesn't support is reported.
func ExampleConvert() {
	from, _ := adapter.Find("claude")
	to, _ := adapter.Find("cursor")
	cfg, ds := from.ParseConfig([]byte(`{"hooks": {
		"Stop": [{"hooks": [{"type": "command", "command": "./tests.sh", "statusMessage": "testing"}]}],
		"Notification": [{"hooks": [{"type": "command", "command": "./bell.sh"}]}]}}`), schema.Source{})
	fmt.Println(len(cfg.Hooks), "hooks,", len(ds), "findings")

	c := convert.Convert(from, to, cfg, convert.ConvertOptions{Wrap: convert.WrapNever})
	fmt.Print(string(c.Document(to)))
	for _, d := range c.Diagnostics {
		fmt.Println(d.Severity, d.Code, d.Path)
	}
	// Output:
	// 2 hooks, 0 findings
	// {
	//   "version": 1,
	//   "hooks": {
	//     "stop": [
	//       {"command":"./tests.sh","timeout":600,"loop_limit":null}
	//     ]
	//   }
	// }
	// weaker HB403 /hooks/Stop/0/hooks/0
	// note HB202 /hooks/Stop/0/hooks/0/statusMessage
	// loss HB201 /hooks/Notification/0/hooks/0
}
