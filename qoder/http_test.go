package qoder

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/schema"
)

func TestFitsAddress(t *testing.T) {
	for _, tt := range []struct {
		pattern, url string
		want         bool
	}{
		{"*", "http://a/b", true}, {"http://a.example", "http://a.example/any/path?x=1", true}, {"http://a.example/", "http://a.example/any", false},
		{"http://A.example:80/x", "http://a.example./x", true}, {"http://a.example:8080", "http://a.example/", false}, {"http://a:*/x*", "http://a:1234/xy", true},
		{"https://*.example/*", "https://hooks.example/deep/er", true}, {"https://*.example/*", "https://example/x", false}, {"https://a/*", "http://a/x", false},
		{"*://a/x", "http://a/x", true}, {"http://a/*/end", "http://a/b/c/end", true}, {"http://a/x", "http://a/x?y=1", false}, {"http://a/x", "http://user:pw@a/x", true},
		{"http://a.example", "http://a.example.evil/", false}, {"http://a", "http://a@evil/", false}, {"a/*", "http://a/x", false}, {"", "http://a/x", false},
	} {
		if got := fitsAddress(tt.pattern, tt.url); got != tt.want {
			t.Errorf("%q for %s: %v", tt.pattern, tt.url, got)
		}
	}
}

func TestSent(t *testing.T) {
	got := sent([]schema.EnvVar{{Name: "A", Value: "Bearer ${TOKEN} $lower $5 $ ${OPEN"}, {Name: "B", Value: "$_X1-$TOKEN$Y"}})
	if diff := cmp.Diff([]string{"TOKEN", "_X1", "Y"}, got); diff != "" {
		t.Error(diff)
	}
}
