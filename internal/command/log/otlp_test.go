package log

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
)

// TestOTLPFields checks that a request has every text and number of a record and of its hooks.
func TestOTLPFields(t *testing.T) {
	elsewhere := map[string]bool{"Time": true, "Raw": true, "Failed": true} // the request's own fields
	r := common.LogRecord{Hooks: make([]common.LogHook, 1), Findings: make([]common.LogFinding, 1)}
	var want []string
	n := 1000
	fill := func(v reflect.Value) {
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			n++
			switch f := v.Field(i); f.Kind() {
			case reflect.String:
				f.SetString("text-" + strconv.Itoa(n))
				want = append(want, name, f.String())
			case reflect.Int:
				f.SetInt(int64(n))
				want = append(want, name, strconv.Itoa(n))
			case reflect.Float64:
				f.SetFloat(float64(n) * 1000)
				want = append(want, name, strconv.Itoa(n))
			}
		}
	}
	fill(reflect.ValueOf(&r).Elem())
	fill(reflect.ValueOf(&r.Hooks[0]).Elem())
	r.Host, r.Event, r.Trace = "claude", "PreToolUse", sampleParent

	out := string(jsondoc.Marshal(otlpOf(&r, nil)))
	for i := 0; i < len(want); i += 2 {
		replaced := want[i] == "Host" || want[i] == "Trace" || want[i] == "Event" && i < len(want)/2
		if !elsewhere[want[i]] && !replaced && !strings.Contains(out, want[i+1]) {
			t.Errorf("%s isn't in the request: %s", want[i], out)
		}
	}
}

// TestOTLPTrace checks that only a valid traceparent becomes the record's trace.
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
