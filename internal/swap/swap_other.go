//go:build !linux

package swap

import "errors"

// Exchange swaps two files in one step. It fails if one of them is missing, and on systems that can't do it: on all but
// Linux.
func Exchange(a, b string) error { return errors.ErrUnsupported }
