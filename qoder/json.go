package qoder

import "github.com/hookbridge/hookbridge/internal/ordjson"

// parse reads one JSON object as JavaScript does: of two members of one name the
// last counts (observed 1.1.52, in answers and in settings).
func parse(text []byte) (ordjson.Object, error) {
	o, _, err := ordjson.ParseLast(text)
	return o, err
}
