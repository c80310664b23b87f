package qoder

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/schema"
)

func TestSent(t *testing.T) {
	got := sent([]schema.EnvVar{{Name: "A", Value: "Bearer ${TOKEN} $lower $5 $ ${OPEN"},
		{Name: "B", Value: "$_X1-$TOKEN$Y"}})
	if diff := cmp.Diff([]string{"TOKEN", "_X1", "Y"}, got); diff != "" {
		t.Error(diff)
	}
}
