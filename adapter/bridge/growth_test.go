package bridge

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// growing lists inputs of tools that grow by a unit.
var growing = []struct {
	kind             schema.Kind
	role             schema.Role
	head, unit, tail string
}{
	{schema.Shell, schema.RoleCommand, "", "cd a;", ""},
	{schema.Shell, schema.RoleCommand, "", "rm a && ", "true"},
	{schema.Shell, schema.RoleCommand, "apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n", "+x\n",
		"*** End Patch\nE\n"},
	{schema.Write, schema.RoleContent, "", "x\n", ""},
	{schema.Edit, schema.RoleNewText, "", "x\n", ""},
	{schema.Read, schema.RolePath, "/p/", "a/", "b"},
	{schema.Read, schema.RolePath, "", "../", "b"},
	{schema.Read, schema.RolePath, "", "%2e", "b"},
	{schema.Grep, schema.RolePath, "", "a ", "b"},
	{schema.MCP, schema.RolePath, "", "x ", ""},
}

// TestGrowthLaw checks that the cost of a payload, read and shown to the hooks of every agent, grows no faster than its
// size. It compares the allocated bytes for four times the input.
func TestGrowthLaw(t *testing.T) {
	for _, host := range adapter.Dialects() {
		for _, g := range growing {
			spent := func(n int) uint64 {
				payload := growingPayload(t, host, g.kind, g.role, g.head+strings.Repeat(g.unit, n)+g.tail)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				showAll(host, payload)
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			spent(10)
			if one, four := spent(1000), spent(4000); four > 7*one+4<<20 {
				t.Errorf("%s: %v of %q: %d bytes for 1,000, %d for 4,000", host.Profile().Name, g.kind, g.unit, one,
					four)
			}
		}
	}
}

func growingPayload(t *testing.T, host dialect.Dialect, k schema.Kind, r schema.Role, text string) []byte {
	t.Helper()
	payload, err := sample.Payload(host, sample.Event{Event: host.Profile().Generic(schema.PreTool), Tool: k.String(),
		Project: "/p", Session: "s", Args: schema.Args{{Role: r, Raw: ordjson.AppendString(nil, text)}}})
	if err != nil {
		t.Fatalf("%s %v: %v", host.Profile().Name, k, err)
	}
	return payload
}

// showAll reads a payload and writes each view of each of its parts for all agents' hooks.
func showAll(host dialect.Dialect, payload []byte) {
	whole, _ := host.DecodeCall(payload, nil)
	calls := []*schema.Call{whole}
	if s := host.Abilities().Splits; s != nil {
		for _, parts := range s.Split(whole) {
			calls = append(calls, parts...)
		}
	}
	for _, hooks := range adapter.WithHooks() {
		for _, c := range calls {
			for _, v := range hooks.Views(c) {
				hooks.AppendCall(nil, c, v)
			}
		}
	}
}

// TestRecognizedGrowth checks that each argument of an unknown tool costs little: a model may send any number of them.
func TestRecognizedGrowth(t *testing.T) {
	const members = 10_000
	tool := schema.Tool{Name: "unknown"}
	for i := range members {
		tool.Input = append(tool.Input, schema.Arg{Role: schema.Rest, Name: fmt.Sprintf("Some_Name-%d", i),
			Raw: []byte("1")})
	}
	allocations := testing.AllocsPerRun(1, func() {
		one := tool
		byNames(&one, 0, false)
	})
	if most := 4 * members; allocations > float64(most) {
		t.Errorf("%.0f allocations for %d arguments, more than %d", allocations, members, most)
	}
}
