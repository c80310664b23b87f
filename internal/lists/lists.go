// Package lists has what package slices lacks.
package lists

import "slices"

// Map returns the results of one for every element; never nil.
func Map[T, U any](list []T, one func(T) U) []U {
	out := make([]U, 0, len(list))
	for _, x := range list {
		out = append(out, one(x))
	}
	return out
}

// Find returns the first element that fits, nil if none does.
func Find[T any](list []T, fits func(*T) bool) *T {
	for i := range list {
		if fits(&list[i]) {
			return &list[i]
		}
	}
	return nil
}

// With returns the list with an element at its end, unless the list already has it.
func With[T comparable](list []T, element T) []T {
	if slices.Contains(list, element) {
		return list
	}
	return append(list, element)
}

// Unique returns the list with each element once.
func Unique[T comparable](list []T) (unique []T) {
	known := make(map[T]bool, len(list))
	for _, x := range list {
		if !known[x] {
			unique = append(unique, x)
		}
		known[x] = true
	}
	return unique
}
