// Package jsregexp searches text with JavaScript regular expressions that have no
// flags. Package regexp can't: it lacks look-around and back-references, and it
// reads several patterns differently.
//
// The engine backtracks, so a search has a deadline. It keeps its own stack: no
// pattern and no text exhausts the goroutine's.
package jsregexp
