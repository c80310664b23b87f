package schema_test

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

var (
	counted = []schema.ArgRow{{Name: "offset", Role: schema.RoleOffset}, {Name: "limit", Role: schema.RoleLimit}}
	ended   = []schema.ArgRow{{Name: "start", Role: schema.RoleOffset},
		{Name: "end", Role: schema.RoleLimit, Lines: schema.LastLine}}
	paired = []schema.ArgRow{{Name: "range", Role: schema.RoleOffset, Lines: schema.FirstAndLast},
		{Name: "range", Role: schema.RoleLimit, Lines: schema.FirstAndLast}}
)

// TestLines checks that all forms of the same lines translate into each other, and that each comes back as it was
// written.
func TestLines(t *testing.T) {
	for _, tt := range []struct{ counted, ended, paired string }{
		{`{"offset":5,"limit":16}`, `{"start":5,"end":20}`, `{"range":[5,20]}`},
		{`{"offset":5}`, `{"start":5}`, `{"range":[5,-1]}`},
		{`{"offset":1,"limit":1}`, `{"start":1,"end":1}`, `{"range":[1,1]}`},
		{`{}`, `{}`, `{}`},
	} {
		forms := []struct {
			text string
			rows []schema.ArgRow
		}{{tt.counted, counted}, {tt.ended, ended}, {tt.paired, paired}}
		for _, from := range forms {
			for _, to := range forms {
				if got := string(schema.AppendArgs(nil, argsOf(from.text, from.rows), to.rows)); got != to.text {
					t.Errorf("%s: %s, want %s", from.text, got, to.text)
				}
			}
			if got := string(schema.AppendOwn(nil, argsOf(from.text, from.rows), from.rows)); got != from.text {
				t.Errorf("%s comes back as %s", from.text, got)
			}
		}
	}
	if got := string(schema.AppendArgs(nil, argsOf(`{"limit":3}`, counted), paired)); got != `{"range":[1,3]}` {
		t.Errorf("the first lines: %s", got)
	}
	if got := string(schema.AppendArgs(nil, argsOf(`{"offset":1,"limit":"3"}`, counted), ended)); got !=
		`{"start":1,"end":"3"}` {
		t.Errorf("no number: %s", got)
	}
	for _, odd := range []string{`{"range":[9,2]}`, `{"range":[1]}`, `{"range":"1-2"}`, `{"range":[1,"x"]}`,
		`{"range":null}`} {
		as := argsOf(odd, paired)
		if as[0].Role != schema.Rest || string(schema.AppendOwn(nil, as, paired)) != odd {
			t.Errorf("%s: %v", odd, as)
		}
	}
}

func argsOf(text string, rows []schema.ArgRow) schema.Args {
	o, _ := ordjson.Parse([]byte(text))
	return schema.DecodeArgs(o, rows)
}
