package cursor

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestTeamHooks finds the hooks of the team's dashboard, between the administrator's and the project's, and starts them
// in their folder. The SDK runs none of them.
func TestTeamHooks(t *testing.T) {
	p := schema.Places{OS: "linux", Home: "/home/u", Project: "/p"}
	var scopes []schema.Scope
	for _, s := range (Dialect{}).Locate(p) {
		scopes = append(scopes, s.Scope)
	}
	want := []schema.Scope{schema.ScopeManaged, schema.ScopeTeam, schema.ScopeProject, schema.ScopeUser}
	if !slices.Equal(scopes, want) {
		t.Errorf("%v, want %v", scopes, want)
	}
	file := "/home/u/" + teamFile
	h := schema.Hook{Command: "./x", Source: schema.Source{File: file, Scope: schema.ScopeTeam}}
	if s, err := (Dialect{}).Spec(&h, &schema.Call{Project: "/p"}, p); err != nil || s.Dir != filepath.Dir(file) {
		t.Errorf("starts in %s: %v", s.Dir, err)
	}
	own, _ := Dialect{}.At(sdk)
	if slices.ContainsFunc(own.Locate(p), func(s schema.Source) bool { return s.Scope == schema.ScopeTeam }) {
		t.Error("the SDK runs no team hooks")
	}
}
