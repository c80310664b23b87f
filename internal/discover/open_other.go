//go:build !unix

package discover

const nonblock = 0
