// Package jsonedit changes a user's JSON file, or JSON file with comments and
// trailing commas, without rewriting it.
//
// [Insert], [Set] and [Remove] put a value in or take one out, and every byte
// outside that place stays: comments, order, spacing, line ends, byte order
// mark. What is put in is laid out like its surroundings. Remove undoes Insert
// and Set byte for byte:
//
//	Remove(Insert(src, "/hooks/Stop", v), "/hooks/Stop/2") == src
//
// if the array was there before and had two elements. If parents had to be
// created, taking out the element leaves them behind empty; take out the
// outermost created one instead, which [Absent] tells beforehand.
//
// [WriteFile] puts the result in the place of the file, unless that has
// changed in the meantime, and [Backup] keeps a copy.
//
// It is the only package that imports the library that parses JSON with
// comments, and it guards it: the size, the nesting, the encoding and repeated
// names are checked here. Every edit is read back before it is returned.
package jsonedit
