package cmdline

import (
	"fmt"
	"strconv"
	"strings"
)

// TooOld returns a message if a version of hookbridge is older than a required one. It returns "" if it isn't, or if
// that is unknown: a build from a commit has no comparable version.
func TooOld(required, version string) string {
	have := numbers(version)
	if required == "" || len(have) < 2 || fromCommit(version) {
		return ""
	}
	for i, part := range strings.Split(required, ".") {
		want, _ := strconv.Atoi(part)
		got := 0
		if i < len(have) {
			got = have[i]
		}
		switch {
		case got > want:
			return ""
		case got < want:
			return fmt.Sprintf("the project requires hookbridge %s or newer, and this is %s", required, version)
		}
	}
	return ""
}

// numbers returns the numbers of a version up to the first other part: 1.2.0-rc1 is 1.2.0.
func numbers(version string) (list []int) {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	for _, part := range strings.Split(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return list
		}
		list = append(list, n)
	}
	return list
}

// fromCommit reports whether the go command has made the version for a commit, as in
// v0.0.0-20261127033000-0123456789ab. Such a version doesn't identify a release.
func fromCommit(version string) bool {
	i := strings.LastIndexByte(version, '-')
	return i >= 14 && len(version)-i == 13 && strings.Trim(version[i-14:i], "0123456789") == ""
}
