// Bench races hookbridge against running a hook directly and against other ways of bridging it, all in one run. It
// interleaves rounds and compares medians, so that other load on the machine affects all alike. It prints tables and
// judges nothing.
//
//	go run ./bench [-rounds N] [-only SECTION,...] [-baselines DIR] [-wrap NAME=COMMAND]... [-build NAME=FILE]...
//
// -baselines names a folder with wrappers to race: floor.c (built with cc), go-min (built with go), wrap-node.mjs and
// wrap-bash-jq.sh. It leaves out missing wrappers and those with missing tools, and reports that. -wrap adds any other
// wrapper, called with the hook as its last argument. -build names another build of hookbridge for the section
// "builds".
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

type wraps []string

func (w *wraps) String() string     { return strings.Join(*w, " ") }
func (w *wraps) Set(s string) error { *w = append(*w, s); return nil }

// A bench holds what every section needs.
type bench struct {
	dir       string // for what is built and written, removed at the end
	bridge    string
	rounds    int
	baselines string
	wraps     wraps
	others    wraps // other builds
	promises  []promise
}

// A promise is one figure that the project aims for, and its measured value.
type promise struct{ what, kept, here string }

func (b *bench) promise(what, kept, format string, args ...any) {
	b.promises = append(b.promises, promise{what, kept, fmt.Sprintf(format, args...)})
}

// sections lists the tables in the order in which they are printed.
func sections() []section {
	return []section{
		{"run", "A payload of 1 KB; the hook is cat >/dev/null", (*bench).run},
		{"session", "A long session; hookbridge isn't listed, so that each call leaves something", (*bench).session},
		{"hundred", "100 hooks that all match", (*bench).hundred},
		{"payload", "Payloads of 1 KB to 32 MiB", (*bench).payloads},
		{"convert", "convert --from claude --to cursor", (*bench).convert},
		{"builds", "Other builds of hookbridge", (*bench).builds},
		{"translate", "In one process: a payload read and written", (*bench).translate},
	}
}

type section struct {
	name, title string
	do          func(*bench)
}

func main() {
	if len(os.Args) > 3 && os.Args[1] == weighCommand {
		if err := measure(os.Args[2], os.Args[3:]); err != nil {
			os.Exit(1)
		}
		return
	}
	b := &bench{}
	flag.IntVar(&b.rounds, "rounds", 60, "rounds; sections with slow contenders take fewer")
	only := flag.String("only", "", "sections to run, by comma (default all)")
	flag.StringVar(&b.baselines, "baselines", filepath.Join("..", "shared", "bench-baselines"),
		"folder of other wrappers to race")
	flag.Var(&b.wraps, "wrap", "NAME=COMMAND of another wrapper")
	flag.Var(&b.others, "build", "NAME=FILE of another build of hookbridge")
	flag.Parse()
	if err := b.all(*only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// A failure ends the benchmark.
type failure struct{ error }

// must ends the benchmark with an error.
func must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func (b *bench) all(only string) (err error) {
	if b.rounds < 1 {
		return fmt.Errorf("-rounds %d: at least 1 is needed", b.rounds)
	}

	for name := range strings.SplitSeq(only, ",") {
		if only != "" && !slices.ContainsFunc(sections(), func(s section) bool { return s.name == name }) {
			return fmt.Errorf("-only %s: there is no such section", name)
		}
	}

	if b.dir, err = os.MkdirTemp("", "hookbridge-bench-"); err != nil {
		return err
	}

	defer os.RemoveAll(b.dir)
	defer func() {
		switch f := recover().(type) {
		case nil:
		case failure:
			err = f.error
		default:
			panic(f)
		}
	}()
	b.bridge = filepath.Join(b.dir, "hookbridge")
	must(build(".", "./cmd/hookbridge", b.bridge))
	os.Setenv(stateVariable, filepath.Join(b.dir, "state"))
	must(os.Mkdir(os.Getenv(stateVariable), 0o700))

	fmt.Printf("%s/%s, %d processors, %s\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	for _, s := range sections() {
		if only != "" && !strings.Contains(","+only+",", ","+s.name+",") {
			continue
		}
		fmt.Printf("\n%s\n\n", s.title)
		s.do(b)
	}

	fmt.Printf("\n%-58s %14s %14s\n", "", "promised", "here")
	for _, p := range b.promises {
		fmt.Printf("%-58s %14s %14s\n", p.what, p.kept, p.here)
	}

	return nil
}
