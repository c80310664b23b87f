package state

// ReadOwn returns what the file at path holds, nil if there is none. It fails
// with ErrUnsafe unless the file is a regular one of this user's that no other
// can write to, reached by no symbolic link of that name, and with ErrFull if
// it holds more than 1 MiB.
func ReadOwn(path string) ([]byte, error) {
	if err := checkOwn(path); err != nil {
		if isMissing(err) {
			return nil, nil
		}
		return nil, err
	}
	b, err := readFile(path)
	if err == nil && len(b) > maxFile {
		err = &pathError{path, "is too large", ErrFull}
	}
	return b, err
}

// AppendOwn adds b to the end of the file at path, all of it or nothing, also
// among several that do so at once. The file is made if there is none; it is
// for this user alone then, and from now on if it was not. Anything but a regular
// file of this user is ErrUnsafe and is neither followed nor waited for.
func AppendOwn(path string, b []byte) error { return appendFile(path, b) }
