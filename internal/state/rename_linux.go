package state

import (
	"runtime"
	"syscall"
	"unsafe"
)

// moveOver makes path name what temp names. Where path already names a file
// the two are exchanged and the old one removed: to the file system a plain
// rename looks like an editor's save, for which ext4 first gives the new data
// its place on the disk, and that takes longer than all the rest of an update.
// What a power cut may leave for it, an empty file, is no more than the end of
// a session.
func moveOver(temp, path string) error {
	if exchange(temp, path) != nil {
		return syscall.Rename(temp, path)
	}
	_ = syscall.Unlink(temp) // left behind it would be written over
	return nil
}

// exchange swaps two files, in one step. It fails if there are not two, and
// on systems that cannot.
func exchange(a, b string) error {
	const renameExchange = 2
	number := renameat2()
	if number == 0 {
		return syscall.ENOSYS
	}
	p, err := syscall.BytePtrFromString(a)
	if err != nil {
		return err
	}
	q, err := syscall.BytePtrFromString(b)
	if err != nil {
		return err
	}
	cwd := -100 // AT_FDCWD
	if _, _, errno := syscall.Syscall6(number, uintptr(cwd), uintptr(unsafe.Pointer(p)),
		uintptr(cwd), uintptr(unsafe.Pointer(q)), renameExchange, 0); errno != 0 {
		return errno
	}
	return nil
}

// renameat2 is the number of that system call, which is younger than most
// tables of package syscall; 0 if not known here.
func renameat2() uintptr {
	switch runtime.GOARCH {
	case "amd64":
		return 316
	case "arm64", "loong64", "riscv64":
		return 276
	}
	return 0
}
