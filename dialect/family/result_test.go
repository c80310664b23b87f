package family

import (
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestResultText checks that a result is shown as one text, in the form of tools of its kind.
func TestResultText(t *testing.T) {
	arg := func(r schema.Role, raw string) schema.Arg { return schema.Arg{Role: r, Raw: []byte(raw)} }
	stdout, stderr := arg(schema.RoleStdout, `"out"`), arg(schema.RoleStderr, `"err"`)
	content, whole := arg(schema.RoleContent, `"a\nb\n"`), arg(schema.RoleWhole, `"w"`)
	blocks := arg(schema.RoleBlocks, `[{"type":"text","text":"x"},{"type":"text","text":"y"}]`)
	for _, tt := range []struct {
		kind   schema.Kind
		output schema.Args
		mark   string
		want   string
	}{
		{schema.Shell, schema.Args{stdout, stderr}, "", "out\nerr"}, {schema.Shell, nil, "", "none"},
		{schema.Delete, schema.Args{stdout}, "", "out"}, {schema.Read, schema.Args{content}, "", "a\nb\n"},
		{schema.Read, schema.Args{content}, ": ", "1: a\n2: b"}, {schema.Read, schema.Args{whole}, ": ", "w"},
		{schema.Write, schema.Args{content, whole}, "", "w"},
		{schema.Write, schema.Args{content, blocks}, ": ", "x\ny"},
		{schema.MCP, schema.Args{blocks, whole}, "", "x\ny"}, {schema.Read, schema.Args{blocks}, "", "x\ny"},
	} {
		c := &schema.Call{Tool: schema.Tool{Kinds: []schema.Kind{tt.kind}, Output: tt.output}}
		if got := ResultText(c, schema.View{Kind: tt.kind}, "none", tt.mark); got != tt.want {
			t.Errorf("%v %+v: %q, want %q", tt.kind, tt.output, got, tt.want)
		}
	}
}

// TestTextOf checks which results are text, and which are shown as JSON.
func TestTextOf(t *testing.T) {
	for raw, want := range map[string]string{`"a"`: "a", `{"stdout":"a","stderr":"b"}`: "a\nb", `{"output":"a"}`: "a",
		`{"content":"a"}`: "a", `{"content":[{"text":"a"}],"stdout":"b"}`: "b", `{"x":1}`: `{"x":1}`, `[]`: "[]",
		`[{"text":"a"},{"text":"b"}]`: "a\nb", `[{"text":"a"},{"x":1}]`: `[{"text":"a"},{"x":1}]`, "7": "7",
		`{"stdout":""}`: ""} {
		if got := TextOf([]byte(raw)); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}
