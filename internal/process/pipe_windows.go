package process

import (
	"crypto/rand"
	"os"
	"syscall"
	"unsafe"
)

var (
	createNamedPipe = kernel32.NewProc("CreateNamedPipeW")
	peekNamedPipe   = kernel32.NewProc("PeekNamedPipe")
)

const (
	pipeInbound  = 1
	pipeOutbound = 2
)

func pipeToRead() (ours, theirs *os.File, err error) {
	return newPipe(pipeInbound, syscall.GENERIC_WRITE)
}

func pipeToWrite() (theirs, ours *os.File, err error) {
	ours, theirs, err = newPipe(pipeOutbound, syscall.GENERIC_READ)
	return theirs, ours, err
}

// newPipe makes a pipe whose end here supports deadlines, unlike one of os.Pipe. Without them, a program's last output
// could be left unread, and reading from leftover children couldn't be stopped. Its name can't be guessed, and takes
// one other end.
func newPipe(direction uintptr, access uint32) (ours, theirs *os.File, err error) {
	const first, overlapped, local = 0x80000, 0x40000000, 8
	file := `\\.\pipe\hookbridge-` + rand.Text()
	name, err := syscall.UTF16PtrFromString(file)
	if err != nil {
		return nil, nil, err
	}
	h, _, err := createNamedPipe.Call(uintptr(unsafe.Pointer(name)), direction|first|overlapped, local, 1, usualPipe,
		usualPipe, 0, 0)
	if syscall.Handle(h) == syscall.InvalidHandle {
		return nil, nil, err
	}
	ours = os.NewFile(h, file)
	other, err := syscall.CreateFile(name, access, 0, nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		ours.Close()
		return nil, nil, err
	}
	return ours, os.NewFile(uintptr(other), file), nil
}

// readNow reads what is in a pipe at this moment.
func readNow(f *os.File, rc syscall.RawConn, room []byte) int {
	var there uint32
	err := rc.Control(func(h uintptr) {
		_, _, _ = peekNamedPipe.Call(h, 0, 0, 0, uintptr(unsafe.Pointer(&there)), 0)
	})
	if err != nil || there == 0 {
		return 0
	}
	n, err := f.Read(room)
	if err != nil {
		return 0
	}
	return n
}
