package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// schemaCheck applies the part of JSON Schema that vector.schema.json uses, and fails on any unknown keyword.
type schemaCheck struct {
	t    *testing.T
	root map[string]any
}

func (c *schemaCheck) fits(schema map[string]any, value any, path string) (wrong []string) {
	bad := func(format string, args ...any) { wrong = append(wrong, path+": "+fmt.Sprintf(format, args...)) }
	object, isObject := value.(map[string]any)
	array, isArray := value.([]any)
	text, isText := value.(string)
	number, isNumber := value.(float64)
	for key, arg := range schema {
		switch key {
		case "$schema", "title", "description", "$defs", "properties": // properties: with additionalProperties
		case "$ref":
			name := strings.TrimPrefix(arg.(string), "#/$defs/")
			wrong = append(wrong, c.fits(c.root["$defs"].(map[string]any)[name].(map[string]any), value, path)...)
		case "type":
			if !hasType(arg, value) {
				bad("is no %v", arg)
			}
		case "enum":
			found := false
			for _, v := range arg.([]any) {
				found = found || v == value
			}
			if !found {
				bad("%v is none of %v", value, arg)
			}
		case "const":
			if !reflect.DeepEqual(arg, value) {
				bad("is not %v", arg)
			}
		case "pattern":
			if isText && !regexp.MustCompile(arg.(string)).MatchString(text) {
				bad("%q does not fit %s", text, arg)
			}
		case "minLength":
			if isText && len(text) < int(arg.(float64)) {
				bad("is too short")
			}
		case "minimum":
			if isNumber && number < arg.(float64) {
				bad("is too small")
			}
		case "maximum":
			if isNumber && number > arg.(float64) {
				bad("is too large")
			}
		case "required":
			for _, name := range arg.([]any) {
				if _, ok := object[name.(string)]; isObject && !ok {
					bad("has no %s", name)
				}
			}
		case "minItems":
			if isArray && len(array) < int(arg.(float64)) {
				bad("has %d items", len(array))
			}
		case "items":
			for i, v := range array {
				if isArray {
					wrong = append(wrong, c.fits(arg.(map[string]any), v, fmt.Sprintf("%s/%d", path, i))...)
				}
			}
		case "additionalProperties":
		case "allOf":
			for _, s := range arg.([]any) {
				wrong = append(wrong, c.fits(s.(map[string]any), value, path)...)
			}
		case "oneOf":
			n := 0
			for _, s := range arg.([]any) {
				if len(c.fits(s.(map[string]any), value, path)) == 0 {
					n++
				}
			}
			if n != 1 {
				bad("fits %d of %v", n, arg)
			}
		default:
			c.t.Fatalf("the schema has %s, which this test does not know", key)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, v := range object {
		at := path + "/" + name
		if s, ok := properties[name]; ok {
			wrong = append(wrong, c.fits(s.(map[string]any), v, at)...)
			continue
		}
		switch rest := schema["additionalProperties"].(type) {
		case bool:
			if !rest {
				bad("has the member %s", name)
			}
		case map[string]any:
			wrong = append(wrong, c.fits(rest, v, at)...)
		}
	}
	return wrong
}

func hasType(want, value any) bool {
	if list, ok := want.([]any); ok {
		for _, w := range list {
			if hasType(w, value) {
				return true
			}
		}
		return false
	}
	switch v := value.(type) {
	case nil:
		return want == "null"
	case bool:
		return want == "boolean"
	case string:
		return want == "string"
	case float64:
		return want == "number" || want == "integer" && v == float64(int(v))
	case []any:
		return want == "array"
	}
	return want == "object"
}

func newSchemaCheck(t *testing.T) *schemaCheck {
	text, err := os.ReadFile("vector.schema.json")
	c := &schemaCheck{t: t}
	if err == nil {
		err = json.Unmarshal(text, &c.root)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *schemaCheck) text(text []byte) (wrong []string) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return []string{err.Error()}
	}
	return c.fits(c.root, v, "")
}

// TestSchema applies the schema to every vector.
func TestSchema(t *testing.T) {
	c := newSchemaCheck(t)
	for _, vectors := range readFolder(t) {
		for id, text := range vectors {
			for _, w := range c.text(text) {
				t.Errorf("%s: %s", id, w)
			}
		}
	}
}

const good = `{"id":"run/claude-to-cursor/a-fact","why":"w","source":"s","confirmed":"live","client":"c 1","from":"claude","to":"cursor@2.4",
 "options":{"ask":"deny","fail_closed":true},"files":{"a/b":"text","c.json":{"x":1}},"home":{},"environment":{"A":"b","C":null},"before":[{}],"writes":"",
 "process":[{"name":"guard","exit":2,"stdout":"","stderr":"no","env_file":"A=1","hangs":true,"stdin":{},"environment":{"X":null},"runs":0}],
 "input":{},"output":{},"diagnostics":[{"code":"HB201","severity":"note","path":""}]}`

// TestRefused checks that the schema and Load reject the same vectors, and where Load reports the mistake. A change is
// an old and a new text; place is "line:col path".
func TestRefused(t *testing.T) {
	c := newSchemaCheck(t)
	load := func(text string) []Problem {
		_, bad := Load(fstest.MapFS{"v.json": {Data: []byte(text)}}, "dir/", Known)
		return bad
	}
	if wrong, bad := c.text([]byte(good)), load(good); len(wrong)+len(bad) > 0 {
		t.Fatalf("the good one: %v %v", wrong, bad)
	}
	for _, x := range []struct {
		old, new, place string
		loadOnly        bool // the schema can't express it
	}{
		{old: `"why":"w",`, new: ``, place: "1:1 "},
		{old: `"why":"w"`, new: `"why":""`, place: "1:43 /why"},
		{old: `"why":"w"`, new: `"why":1`, place: "1:43 /why"},
		{old: `"why":"w"`, new: `"why":"w","comment":"x"`, place: "1:57 /comment"},
		{old: `"why":"w"`, new: `"Why":"w"`, place: "1:43 /Why"},
		{old: `"why":"w"`, new: `"why":null`, place: "1:43 /why"},
		{old: `"client":"c 1"`, new: `"client":"c 1","tool":""`, place: "1:101 /tool"},
		{old: `"ask":"deny"`, new: `"ask":"perhaps"`, place: "2:19 /options/ask"},
		{old: `"ask":"deny"`, new: `"aks":"deny"`, place: "2:19 /options/aks"},
		{old: `"fail_closed":true`, new: `"fail_closed":false`, place: "2:40 /options/fail_closed"},
		{old: `"exit":2`, new: `"exit":"2"`, place: "3:36 /process/0/exit"},
		{old: `"exit":2`, new: `"exit":256`, place: "3:36 /process/0/exit"},
		{old: `"exit":2`, new: `"exit":1.5`, place: "3:36 /process/0/exit"},
		{old: `"exit":2`, new: `"exits":{"a":[{}]}`, place: "3:37 /process/0/exits"},
		{old: `"exit":2`, new: `"exits":2`, place: "3:37 /process/0/exits"},
		{old: `"name":"guard"`, new: `"name":"my guard"`, place: "3:21 /process/0/name"},
		{old: `"severity":"note"`, new: `"severity":"info"`, place: "4:67 /diagnostics/0/severity"},
		{old: `[{"code":"HB201","severity":"note","path":""}]`, new: `null`, place: "4:39 /diagnostics"},
		{old: `"severity":"note","path":""`, new: `"severity":"\u006eote","path":2`, place: "4:86 /diagnostics/0/path"},
		{old: `,"path":""`, new: ``, place: "4:40 /diagnostics/0"},
		{old: `"code":"HB201"`, new: `"code":"HB2"`, place: "4:48 /diagnostics/0/code"},
		{old: `"code":"HB201"`, new: `"code":"HB999"`, place: "4:48 /diagnostics/0/code", loadOnly: true},
		{old: `"input":{},`, new: ``, place: "1:1 "},
		{old: `"input":{},`, new: `"input":{},"input_text":"",`, place: "1:1 "},
		{old: `"output":{}`, new: `"output":[]`, place: "4:22 /output"},
		{old: `"output":{},`, new: ``, place: "1:1 "},
		{old: `"output":{},`, new: `"output":{},"verdict":"deny",`, place: "1:1 "},
		{old: `"output":{},"diagnostics":[{"code":"HB201","severity":"note","path":""}]`,
			new: `"output":null,"diagnostics":[]`, place: "1:1 ", loadOnly: true},
		{old: `"confirmed":"live"`, new: `"confirmed":"seen"`, place: "1:72 /confirmed"},
		{old: `"client":"c 1",`, new: ``, place: "1:1 "},
		{old: `"confirmed":"live"`, new: `"confirmed":"none"`, place: "1:1 "},
		{old: `"from":"claude"`, new: `"from":"claud"`, place: "1:101 /from", loadOnly: true},
		{old: `"to":"cursor@2.4"`, new: `"to":"Cursor"`, place: "1:115 /to"},
		{old: `run/claude-to-cursor/a-fact`, new: `run/claude-to-qoder/a-fact`, place: "1:7 /id", loadOnly: true},
		{old: `run/claude-to-cursor/a-fact`, new: `walk/claude-to-cursor/a-fact`, place: "1:7 /id"},
		{old: `run/claude-to-cursor/a-fact`, new: `run/claude-to-cursor/A fact`, place: "1:7 /id"},
		{old: `run/claude-to-cursor/a-fact`, new: `run/claude-to-cursor`, place: "1:7 /id"},
		{old: `run/claude-to-cursor/a-fact`, new: `config/claude-to-cursor/a-fact`, place: "1:1 ", loadOnly: true},
		{old: `"a/b":"text"`, new: `"../b":"text"`, place: "2:62 /files/..~1b", loadOnly: true},
		{old: `"A":"b"`, new: `"A":1`, place: "2:115 /environment/A"},
		{old: `"files":{`, new: `"files":[`, place: "2:60 "},
		{old: `"why":"w"`, new: `"why":"w","why":"x"`, place: "1:47 ", loadOnly: true},
	} {
		text := strings.Replace(good, x.old, x.new, 1)
		if text == good {
			t.Fatalf("%s is not in the good one", x.old)
		}
		if wrong := c.text([]byte(text)); (len(wrong) == 0) != x.loadOnly {
			t.Errorf("%s: the schema says %v", x.new, wrong)
		}
		bad := load(text)
		if len(bad) == 0 {
			t.Errorf("%s is taken", x.new)
			continue
		}
		if got := fmt.Sprintf("%d:%d %s", bad[0].Line, bad[0].Col, bad[0].Path); got != x.place ||
			bad[0].File != "dir/v.json" {
			t.Errorf("%s: %s, want the place %s", x.new, bad[0], x.place)
		}
	}
	two := "[" + good + ",\n" + good + "]"
	if bad := load(two); len(bad) != 1 || bad[0].Path != "/id" || bad[0].Line != 5 ||
		!strings.Contains(bad[0].Msg, "dir/v.json:1") {
		t.Errorf("one id twice: %v", bad)
	}
	for _, text := range []string{"", "{", "[]", "3", "[3]"} {
		if bad := load(text); len(bad) == 0 || bad[0].Line != 1 {
			t.Errorf("%q: %v", text, bad)
		}
	}
}
