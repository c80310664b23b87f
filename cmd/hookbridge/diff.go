package main

import (
	"fmt"
	"io"
	"strings"
)

// diffLines shows the lines that differ between the common head and tail.
func diffLines(w io.Writer, file string, before, after []byte) {
	a, b := strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n")
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	fmt.Fprintf(w, "--- %s\n+++ %s\n@@ line %d @@\n", file, file, start+1)
	for _, l := range a[start : len(a)-end] {
		fmt.Fprintf(w, "-%s\n", strings.TrimSuffix(l, "\n"))
	}
	for _, l := range b[start : len(b)-end] {
		fmt.Fprintf(w, "+%s\n", strings.TrimSuffix(l, "\n"))
	}
}
