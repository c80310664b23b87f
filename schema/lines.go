package schema

import (
	"math"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// Lines is how a field selects the lines that a tool reads, if not by the first line (RoleOffset) or by their number
// (RoleLimit).
type Lines uint8

const (
	_ Lines = iota
	// LastLine is for a row of RoleLimit: the field is the number of the last line.
	LastLine
	// FirstAndLast is for two rows with one name, of RoleOffset and RoleLimit. The field is an array of the first and
	// the last line; -1 as the last is the end of the file.
	FirstAndLast
)

func linesRow(rows []ArgRow, fits func(*ArgRow) bool) *ArgRow {
	for i := range rows {
		if rows[i].Lines != 0 && fits(&rows[i]) {
			return &rows[i]
		}
	}
	return nil
}

// ReadLines converts lines in the forms of rows to the first line and a count. It leaves invalid values unchanged.
func ReadLines(as Args, rows []ArgRow) Args {
	for i := range as {
		row := linesRow(rows, func(r *ArgRow) bool { return r.Name == as[i].Name && r.Role == as[i].Role })
		if row == nil {
			continue
		}
		values := [][]byte{as.or(RoleOffset, "1"), as[i].Raw}
		if row.Lines == FirstAndLast {
			list, _ := ordjson.Elements(as[i].Raw, 0)
			values = lists.Map(list, func(m ordjson.Member) []byte { return m.Value })
		}
		n, ok := integers(values)
		toEnd := row.Lines == FirstAndLast && ok && n[1] == -1
		if !ok || n[1] < max(n[0], 1) && !toEnd {
			as[i].Role = Rest
			continue
		}
		limit := Arg{RoleLimit, row.Name, strconv.AppendInt(nil, n[1]-max(n[0], 1)+1, 10)}
		if row.Lines == LastLine {
			as[i] = limit
			continue
		}
		as[i].Raw = strconv.AppendInt(nil, n[0], 10)
		if !toEnd {
			as = slices.Insert(as, i+1, limit)
		}
		return as
	}

	return as
}

// WriteLines is the reverse of ReadLines. It keeps invalid values, so that the tool rejects them.
func WriteLines(as Args, rows []ArgRow) Args {
	at := slices.IndexFunc(as, func(a Arg) bool {
		return linesRow(rows, func(r *ArgRow) bool { return r.Role == a.Role }) != nil
	})
	if at < 0 {
		return as
	}
	n, ok := integers([][]byte{as.or(RoleOffset, "1"), as.or(RoleLimit, "0")})
	if !ok {
		return as
	}
	start := max(n[0], 1)
	number := strconv.AppendInt(nil, start+min(n[1], math.MaxInt64-start)-1, 10)
	form := linesRow(rows, func(r *ArgRow) bool { return r.Role == as[at].Role }).Lines
	if form == LastLine {
		return as.Set(RoleLimit, "", number)
	}
	if _, limited := as.Get(RoleLimit); !limited {
		number = []byte("-1")
	}
	out := slices.Clone(as)
	out[at] = Arg{RoleOffset, as[at].Name, slices.Concat([]byte{'['}, strconv.AppendInt(nil, n[0], 10), []byte{','},
		number, []byte{']'})}
	return slices.DeleteFunc(out, func(a Arg) bool { return a.Role == RoleLimit })
}

func (a Args) or(r Role, missing string) []byte {
	if raw, ok := a.Get(r); ok {
		return raw
	}
	return []byte(missing)
}

// integers reads two integers.
func integers(values [][]byte) (ns [2]int64, ok bool) {
	ok = len(values) == 2
	for i := 0; ok && i < len(values); i++ {
		ns[i], ok = ordjson.Int(values[i])
	}
	return ns, ok
}
