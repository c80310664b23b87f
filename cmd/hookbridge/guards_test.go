package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// editGuard is a hook as people write them: it judges an edit by the texts that it removes and adds. "words TEXT"
// denies adding TEXT with any tool. "tests" denies an edit that leaves fewer tests in a test file or skips some.
func editGuard() {
	var call struct {
		Tool  string `json:"tool_name"`
		Input struct {
			Path    string  `json:"file_path"`
			Old     string  `json:"old_string"`
			New     *string `json:"new_string"`
			Content string  `json:"content"`
		} `json:"tool_input"`
	}
	text, _ := io.ReadAll(os.Stdin)
	if err := json.Unmarshal(text, &call); err != nil {
		os.Exit(1)
	}
	in := call.Input
	switch os.Args[1] {
	case "words":
		added := in.Content
		if in.New != nil {
			added = *in.New
		}
		if strings.Contains(added, os.Args[2]) {
			refuse("adds " + os.Args[2])
		}
	case "tests":
		if !strings.Contains(in.Path, ".test.") {
			return
		}
		if call.Tool == "Write" && strings.Contains(in.Content, ".skip(") || in.New != nil &&
			strings.Contains(*in.New, ".skip(") {
			refuse("skips a test")
		}
		if call.Tool == "Edit" && in.New != nil && strings.Count(in.Old, "test(") > strings.Count(*in.New, "test(") {
			refuse("removes a test")
		}
	}
}

func refuse(reason string) {
	fmt.Fprint(os.Stderr, reason)
	os.Exit(2)
}
