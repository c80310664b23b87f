// Package lists has what package slices lacks.
package lists

// Map is what one returns for every element; never nil.
func Map[T, U any](list []T, one func(T) U) []U {
	out := make([]U, 0, len(list))
	for _, x := range list {
		out = append(out, one(x))
	}
	return out
}

// Find is the first element that fits, nil if none does.
func Find[T any](list []T, fits func(*T) bool) *T {
	for i := range list {
		if fits(&list[i]) {
			return &list[i]
		}
	}
	return nil
}
