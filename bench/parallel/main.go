// Parallel shows what 100 hooks cost without hookbridge. It reads stdin once and starts that many shells with the same
// command at once, each with the payload on its stdin. Then it collects their output and answers with an empty object.
// It translates nothing. The race compares hookbridge with it.
//
//	parallel N COMMAND
package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
)

func main() {
	payload, err := io.ReadAll(os.Stdin)
	if err != nil || len(os.Args) != 3 {
		os.Exit(1)
	}
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		os.Exit(1)
	}
	failed := make([]bool, n)
	outputs := make([]bytes.Buffer, 2*n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			cmd := exec.Command("/bin/sh", "-c", os.Args[2]+" # "+strconv.Itoa(i))
			cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(payload), &outputs[2*i], &outputs[2*i+1]
			failed[i] = cmd.Run() != nil
		})
	}
	wg.Wait()
	for _, f := range failed {
		if f {
			os.Exit(1)
		}
	}
	os.Stdout.WriteString("{}\n")
}
