package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/command/cli"
)

// BenchmarkModule compares a module of callbacks, run through hookbridge, with just starting node: "x/node" is the
// ratio of the medians.
func BenchmarkModule(b *testing.B) {
	if _, err := exec.LookPath("node"); err != nil {
		b.Skip("no node")
	}
	module, err := filepath.Abs("../../examples/qoder-sdk/block-dangerous.mjs")
	if err != nil {
		b.Fatal(err)
	}
	b.Setenv("HOOKBRIDGE_STATE_DIR", b.TempDir())
	payload := strings.ReplaceAll(happenings[0].cursor, "DIR", os.TempDir())
	var bare, bridged []time.Duration
	for b.Loop() { // alternating, so that changes in load affect both
		t0 := time.Now()
		if err := exec.Command("node", "-e", "0").Run(); err != nil {
			b.Fatal(err)
		}
		t1 := time.Now()
		if code := dispatch([]string{"run", "--host", "cursor", "--hooks", "qoder-sdk", "--module", module},
			cli.IO{In: strings.NewReader(payload), Out: io.Discard, Err: io.Discard}); code != 0 {
			b.Fatal(code)
		}
		bare, bridged = append(bare, t1.Sub(t0)), append(bridged, time.Since(t1))
	}
	slices.Sort(bare)
	slices.Sort(bridged)
	b.ReportMetric(float64(bridged[len(bridged)/2])/float64(bare[len(bare)/2]), "x/node")
}
