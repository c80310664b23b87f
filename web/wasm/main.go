//go:build js && wasm

// Command wasm exports package web to the page's script: hookbridge(name, ...texts) returns a JSON text.
package main

import (
	"syscall/js"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/web"
)

// most is the maximum number of findings on the page.
const most = 200

var calls = map[string]func(args []string) any{
	"agents":     func([]string) any { return web.Agents() },
	"agentOf":    func(a []string) any { return web.AgentOf(a[0]) },
	"betterThan": func(a []string) any { return web.BetterThan(a[0], a[1]) },
	"call":       func(a []string) any { return web.CallOf(a[0], a[1], a[2]) },
	"convert":    func(a []string) any { return web.Convert(a[0], a[1], a[2]).Shown(most) },
	"matrix":     func([]string) any { return web.Matrix() },
}

func main() {
	js.Global().Set("hookbridge", js.FuncOf(func(_ js.Value, args []js.Value) any {
		texts := make([]string, len(args))
		for i, a := range args {
			texts[i] = a.String()
		}
		return string(jsondoc.Marshal(calls[texts[0]](texts[1:])))
	}))
	select {} // the page calls from now on
}
