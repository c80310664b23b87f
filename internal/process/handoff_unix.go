//go:build unix

package process

import "os"

// handOff leaves the copying of in to out to a cat that outlives this process,
// and closes both here; nil is the null device. It is how a released program
// keeps a reader, without which its next word would end it with SIGPIPE, and
// gets the rest of its stdin. Without a cat in its PATH it has to do without.
func handOff(env []string, in, out *os.File) {
	if in != nil {
		defer in.Close()
	}
	if out != nil {
		defer out.Close()
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	files := []*os.File{in, out, null}
	for i, f := range files {
		if f == nil {
			files[i] = null
		}
	}
	cat := lookPath("cat", "/", env)
	if cat == "" {
		cat = "/bin/cat"
	}
	p, err := os.StartProcess(cat, []string{"cat"}, &os.ProcAttr{Dir: "/", Env: []string{}, Files: files, Sys: ownSession()})
	if err == nil {
		go p.Wait()
	}
}
