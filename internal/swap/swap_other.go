//go:build !linux

package swap

import "errors"

// Exchange swaps two files, in one step. It fails if there are not two, and on
// systems that cannot: on all but Linux.
func Exchange(a, b string) error { return errors.ErrUnsupported }
