package log

import (
	"strings"
	"testing"
)

// TestOTLPTrace holds that only a valid traceparent becomes the record's trace.
func TestOTLPTrace(t *testing.T) {
	zero := strings.Repeat("0", 32)
	for parent, want := range map[string]bool{
		sampleParent: true, "01" + sampleParent[2:] + "-more": true, "": false, "00": false, sampleParent +
			"-more": false,
		strings.ToUpper(sampleParent): false,
		"ff" + sampleParent[2:]:       false, "00-" + zero + sampleParent[35:]: false, sampleParent[:36] + zero[:16] +
			"-01": false, "00-x" + sampleParent[4:]: false} {
		if trace, span, _ := traceOf(parent); (trace != "") != want || (span != "") != want {
			t.Errorf("%q: %q %q", parent, trace, span)
		}
	}
}

const sampleParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
