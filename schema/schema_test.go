package schema

import (
	"reflect"
	"strings"
	"testing"
)

// fill sets v to a value that isn't zero.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(1)
	case reflect.Slice:
		s := reflect.MakeSlice(v.Type(), 1, 1)
		fill(t, s.Index(0))
		v.Set(s)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	default:
		t.Fatalf("no value for %s", v.Type())
	}
}

// TestHookUses checks that no field of Hook can be lost silently: setting it alone changes the features that the hook
// needs, or its tag gives the reason why it doesn't.
func TestHookUses(t *testing.T) {
	typ := reflect.TypeOf(Hook{})
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Tag.Get("lossless") != "" {
			continue
		}
		var h Hook
		fill(t, reflect.ValueOf(&h).Elem().Field(i))
		if f.Name == "Handler" {
			h.Handler = HandlerHTTP
		}
		if h.Uses() == 0 {
			t.Errorf("Hook.%s is in no feature: add it to Uses, or say in a lossless tag why it cannot be lost", f.Name)
		}
	}
}

// carried are fields of Reply that go with another one.
var carried = map[string]string{"InputView": "tells the words of Input", "Objects": "goes with Output",
	"Prompt": "reported by the dialect that read it", "Extra": "reported by the dialect that read them"}

// TestReplyUses is the same for Reply.
func TestReplyUses(t *testing.T) {
	typ := reflect.TypeOf(Reply{})
	for i := range typ.NumField() {
		f := typ.Field(i)
		if carried[f.Name] != "" {
			continue
		}
		var r Reply
		fill(t, reflect.ValueOf(&r).Elem().Field(i))
		if r.Uses() == 0 {
			t.Errorf("Reply.%s is in no feature: add it to Uses", f.Name)
		}
	}
}

func TestFeatureNames(t *testing.T) {
	seen := map[string]bool{}
	for i := range 64 {
		name := (Feature(1) << i).Name()
		if i < numEffects || i >= 32 && i < 32+numHookFeatures {
			if name == "" || seen[name] || name == "feature(invalid)" {
				t.Errorf("bit %d is called %q", i, name)
			}
		} else if name != "feature(invalid)" {
			t.Errorf("unused bit %d is called %q", i, name)
		}
		seen[name] = true
	}
	if got := (EffectAllow | HookModel).String(); got != "allow,model" {
		t.Errorf("String() = %q", got)
	}
}

func TestNames(t *testing.T) {
	for k := range NumKinds {
		if got, ok := ParseKind(k.String()); !ok || got != k {
			t.Errorf("kind %d: %q does not parse back", k, k.String())
		}
	}
	for r := range NumRoles {
		if r.String() == "" {
			t.Errorf("role %d has no name", r)
		}
	}
}

func TestMerge(t *testing.T) {
	tests := []struct {
		name  string
		rules MergeRules
		in    []Reply
		want  Reply
	}{
		{"the strictest verdict with its reasons", MergeRules{Separator: "\n"},
			[]Reply{{Verdict: Allow, Reason: "fine"}, {Verdict: Deny, Reason: "a"}, {Verdict: Ask, Reason: "sure?"},
				{Verdict: Deny, Reason: "b"}},
			Reply{Verdict: Deny, Reason: "a\nb"}},
		{"all reasons", MergeRules{Separator: "|", AllReasons: true},
			[]Reply{{Verdict: Allow, Reason: "fine"}, {Verdict: Deny, Reason: "a"}},
			Reply{Verdict: Deny, Reason: "fine|a"}},
		{"the first verdict", MergeRules{Separator: "\n", FirstVerdict: true},
			[]Reply{{}, {Verdict: Allow}, {Verdict: Deny, Reason: "late"}}, Reply{Verdict: Allow}},
		{"the last replacement", MergeRules{Separator: "\n"},
			[]Reply{{Output: []byte("1")}, {Output: []byte("2")}, {Context: "c"}},
			Reply{Output: []byte("2"), Context: "c"}},
		{"the first words about a result", MergeRules{Separator: "|", FirstFeedback: true},
			[]Reply{{Context: "a"}, {Feedback: "b", Context: "c"}, {Feedback: "d"}},
			Reply{Feedback: "b", Context: "a|c"}},
		{"the first input", MergeRules{FirstInput: true},
			[]Reply{{Input: Args{{Name: "a"}}}, {Input: Args{{Name: "b"}}}}, Reply{Input: Args{{Name: "a"}}}},
		{"the input of the first decision", MergeRules{FirstInput: true},
			[]Reply{{Input: Args{{Name: "a"}}}, {Verdict: Allow, Input: Args{{Name: "b"}}},
				{Verdict: Allow, Input: Args{{Name: "c"}}}},
			Reply{Verdict: Allow, Input: Args{{Name: "b"}}}},
		{"words against a result among others", MergeRules{Separator: "|", JoinOutputs: true},
			[]Reply{{Output: []byte(`"no"`), Objects: true}, {Output: []byte(`"new"`)}},
			Reply{Output: []byte(`"no|new"`), Objects: true}},
		{"a result that replaces words against one", MergeRules{Separator: "|"},
			[]Reply{{Output: []byte(`"no"`), Objects: true}, {Output: []byte(`"new"`)}},
			Reply{Output: []byte(`"new"`)}},
		{"a denied call has no new input", MergeRules{Separator: "\n"},
			[]Reply{{Input: Args{{Name: "a"}}}, {Verdict: Deny}}, Reply{Verdict: Deny}},
		{"the end of the turn beats going on", MergeRules{Separator: "\n"},
			[]Reply{{KeepGoing: "more"}, {EndTurn: true, EndReason: "stop"}}, Reply{EndTurn: true, EndReason: "stop"}},
		{"context in the place of a reason", MergeRules{Separator: "|", ContextFirst: true},
			[]Reply{{Context: "a"}, {Verdict: Deny, Reason: "no"}, {Context: "b"}},
			Reply{Verdict: Deny, Reason: "a|b"}},
		{"context in the place of words about a result", MergeRules{ContextFirst: true},
			[]Reply{{Context: "a"}, {Feedback: "no"}}, Reply{Feedback: "a"}},
		{"words about a result without context", MergeRules{ContextFirst: true},
			[]Reply{{Feedback: "no"}, {}}, Reply{Feedback: "no"}},
		{"a denial beside the end of the turn", MergeRules{},
			[]Reply{{EndTurn: true, EndReason: "stop"}, {Verdict: Deny}},
			Reply{Verdict: Deny, EndTurn: true, EndReason: "stop"}},
		{"a denial after which the turn goes on", MergeRules{DenialGoesOn: true},
			[]Reply{{EndTurn: true, EndReason: "stop"}, {Verdict: Deny}}, Reply{Verdict: Deny}},
		{"the end of the turn where no call is denied", MergeRules{DenialGoesOn: true},
			[]Reply{{EndTurn: true, EndReason: "stop"}, {Context: "c"}},
			Reply{EndTurn: true, EndReason: "stop", Context: "c"}},
		{"texts are joined, empty ones left out", MergeRules{Separator: "\n"},
			[]Reply{{Context: "a", Notice: "n"}, {}, {Context: "b", Feedback: "f"}},
			Reply{Context: "a\nb", Notice: "n", Feedback: "f"}},
		{"nothing of nothing", MergeRules{}, nil, Reply{}},
	}
	for _, tt := range tests {
		if got := tt.rules.Merge(tt.in); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{"plain ünï": "plain ünï", "a\nb\n": "a | b", "\x1b[31mred": "?[31mred",
		"a\u2028b": "a?b", "a\u202eb\u200bc\ufeff\U000e0041": "a?b?c??", "\x9b": "?"} {
		if in == "\x9b" {
			in = "\u009b"
		}
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestEnviron(t *testing.T) {
	e := Environ{"A=1", "B=2", "A=3", "AB=4"}
	if got := e.Get("A"); got != "3" {
		t.Errorf("Get(A) = %q", got)
	}
	if got := e.Get("X"); got != "" {
		t.Errorf("Get(X) = %q", got)
	}
	out := e.With(func(n string) bool { return n == "B" }, EnvVar{"A", "5"})
	if got := []string(out); !reflect.DeepEqual(got, []string{"AB=4", "A=5"}) {
		t.Errorf("With = %q", got)
	}
}

// TestCodes checks that the codes are in order, and that each has a meaning and a remedy.
func TestCodes(t *testing.T) {
	last := Code("")
	for _, i := range Codes() {
		if i.Code <= last {
			t.Errorf("%s comes after %s", i.Code, last)
		}
		last = i.Code
		if i.Title == "" || i.Text == "" || i.Do == "" || i.Before == "" || i.After == "" {
			t.Errorf("%s: something is not said", i.Code)
		}
	}
	if n := strings.Count(codeTexts, "\nHB"); n != len(codes) {
		t.Errorf("codes.txt has the texts of %d codes, want %d", n, len(codes))
	}
}
