// Package edits finds and makes the edits that lead from one text to another.
package edits
