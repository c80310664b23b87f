package jsregexp

import (
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	// stackLimit limits the machine's stack for going back: 64 MiB.
	stackLimit = 4 << 20
	// textLimit is the longest text, in units, for which places can be counted.
	textLimit = 1 << 30
	// stepsPerLook is how many steps go by between two looks at the clock.
	stepsPerLook = 1 << 12
)

// A machine runs a program over one text, trying one choice after the other as ECMA-262 requires. It keeps the choices
// to go back to on its own stack, so that no expression and no text exhausts the goroutine's.
type machine struct {
	*Regexp
	ascii    string   // the text, if it is all ASCII
	wide     []uint16 // the text otherwise
	size     int32
	regs     []int32
	stack    []frame
	steps    int // taken, one for every unit of a run
	clockAt  int // the step at which the clock is checked next
	deadline time.Time
	gaveUp   bool // because of the deadline or a limit
}

// A frame is something to go back to.
type frame struct {
	kind frameKind
	pc   int32
	a, b int32
}

type frameKind uint8

const (
	toChoice frameKind = iota // go on at pc, place a
	toFewer                   // of a run: place a is reached, b the last to try
	toMore                    // of a lazy run: from place a, b units more at most
	toValue                   // register pc was a
)

// Search reports whether the program matches anywhere in text; sure is false if it ran out of time or space.
func (p *Regexp) Search(text string, deadline time.Time) (found, sure bool) {
	m := &machine{Regexp: p, regs: make([]int32, p.regs), deadline: deadline, clockAt: stepsPerLook}
	if isASCII(text) {
		m.ascii, m.size = text, int32(min(len(text), textLimit))
	} else {
		m.wide = codeUnits(text)
		m.size = int32(min(len(m.wide), textLimit))
	}
	if len(text) > textLimit {
		return false, false
	}
	for at := m.candidate(0); at >= 0; at = m.after(at) {
		for i := range m.regs {
			m.regs[i] = -1
		}
		m.stack = m.stack[:0]
		if m.run(0, at) {
			return true, true
		}
		if m.gaveUp {
			return false, false
		}
	}
	return false, true
}

// candidate returns the first place from at on where a match may begin, or -1.
func (m *machine) candidate(at int32) int32 {
	first := &m.code[0]
	if first.op == iStart && !first.lines && at > 0 {
		return -1
	}
	if first.op == iUnit {
		for at < m.size && m.at(at) != first.unit {
			at++
		}
		if at == m.size {
			return -1
		}
	}
	if at > m.size {
		return -1
	}
	return at
}

// after returns the next place to try after nothing matched at. A run without a
// bound, tried at its first unit, has been tried at all of them.
func (m *machine) after(at int32) int32 {
	if first := &m.code[0]; first.op == iRun && first.max < 0 {
		for at < m.size && first.takes(m.at(at)) {
			at++
		}
	}
	return m.candidate(at + 1)
}

func (m *machine) at(i int32) uint16 {
	if m.wide == nil {
		return uint16(m.ascii[i])
	}
	return m.wide[i]
}

// takes reports whether in, an iUnit, iSet or iRun, accepts c.
func (in *inst) takes(c uint16) bool {
	if in.set != nil {
		return in.set.has(c)
	}
	return c == in.unit
}

// step takes the unit at place that in accepts, and returns the place after.
func (m *machine) step(in *inst, place int32) (int32, bool) {
	if in.back {
		if place == 0 || !in.takes(m.at(place-1)) {
			return place, false
		}
		return place - 1, true
	}
	if place == m.size || !in.takes(m.at(place)) {
		return place, false
	}
	return place + 1, true
}

// set changes a register so that going back restores it.
func (m *machine) set(reg, value int32) {
	m.push(frame{toValue, reg, m.regs[reg], 0})
	m.regs[reg] = value
}

func (m *machine) push(f frame) {
	if len(m.stack) >= stackLimit {
		m.gaveUp = true
		return
	}
	m.stack = append(m.stack, f)
}

// run runs the program from pc at place until an iMatch. It leaves the choices to go back to on the stack.
func (m *machine) run(pc, place int32) bool {
	base := len(m.stack)
	for {
		if m.steps++; m.steps >= m.clockAt {
			m.clockAt = m.steps + stepsPerLook
			m.gaveUp = m.gaveUp || time.Now().After(m.deadline)
		}
		if m.gaveUp {
			return false
		}

		in := &m.code[pc]
		pc++
		holds := true
		switch in.op {
		case iUnit, iSet:
			place, holds = m.step(in, place)
		case iRun:
			place, holds = m.unitRun(in, pc, place)
		case iStart:
			holds = place == 0 || in.lines && lineEnd(m.at(place-1))
		case iEnd:
			holds = place == m.size || in.lines && lineEnd(m.at(place))
		case iBoundary:
			holds = m.boundary(place) != in.not
		case iJump:
			pc = in.x
		case iSplit:
			m.push(frame{toChoice, in.y, place, 0})
			pc = in.x
		case iPlace:
			m.set(in.x, place)
		case iZero:
			m.set(in.x, 0)
		case iClear:
			for r := in.x; r <= in.y; r++ {
				if m.regs[r] >= 0 {
					m.set(r, -1)
				}
			}
		case iLoop:
			pc = m.loop(in, pc, place)
		case iMoved:
			n := m.regs[in.x-1]
			if holds = n < in.min || m.regs[in.x] != place; holds {
				m.set(in.x-1, n+1)
			}
		case iAhead:
			holds = m.regs[in.x] != place
		case iRefer:
			place, holds = m.refer(in, place)
		case iLook:
			if holds = m.look(in, pc, place); holds {
				pc = in.x
			}
		case iMatch:
			return true
		}
		if !holds {
			if pc, place, holds = m.back(base); !holds {
				return false
			}
		}
	}
}

// loop decides about the next round of a repetition.
func (m *machine) loop(in *inst, body, place int32) (pc int32) {
	n := m.regs[in.x]
	switch {
	case n < in.min:
		return body
	case in.max >= 0 && n >= in.max:
		return in.y
	case in.lazy:
		m.push(frame{toChoice, body, place, 0})
		return in.y
	}
	m.push(frame{toChoice, in.y, place, 0})
	return body
}

// unitRun takes units one after the other; next is the step after it.
func (m *machine) unitRun(in *inst, next, place int32) (int32, bool) {
	most := in.max
	if in.lazy {
		most = in.min
	}

	n, start, ok := int32(0), place, true
	for most < 0 || n < most {
		if place, ok = m.step(in, place); !ok {
			break
		}
		n++
	}

	m.steps += int(n)
	switch {
	case n < in.min:
		return place, false
	case in.lazy && in.max < 0:
		m.push(frame{toMore, next, place, textLimit})
	case in.lazy:
		m.push(frame{toMore, next, place, in.max - in.min})
	case n > in.min:
		last := start + in.min
		if in.back {
			last = start - in.min
		}
		m.push(frame{toFewer, next, place, last})
	}
	return place, true
}

// back goes back to the last choice above base and takes the other way.
func (m *machine) back(base int) (pc, place int32, ok bool) {
	for len(m.stack) > base {
		f := &m.stack[len(m.stack)-1]
		switch f.kind {
		case toValue:
			m.regs[f.pc] = f.a
		case toFewer:
			if f.a > f.b {
				f.a--
			} else {
				f.a++
			}
			pc, place = f.pc, f.a
			if f.a == f.b {
				m.stack = m.stack[:len(m.stack)-1]
			}
			return pc, place, true
		case toMore:
			if place, ok = m.step(&m.code[f.pc-1], f.a); ok && f.b > 0 {
				f.a, f.b = place, f.b-1
				return f.pc, place, true
			}
		case toChoice:
			pc, place = f.pc, f.a
			m.stack = m.stack[:len(m.stack)-1]
			return pc, place, true
		}
		m.stack = m.stack[:len(m.stack)-1]
	}

	return 0, 0, false
}

// look tries what follows at place without moving. It keeps only the groups of a match: its other choices are not tried
// later.
func (m *machine) look(in *inst, pc, place int32) bool {
	base := len(m.stack)
	found := m.run(pc, place)
	kept := base
	for i := base; i < len(m.stack); i++ {
		if m.stack[i].kind == toValue {
			m.stack[kept] = m.stack[i]
			kept++
		}
	}
	m.stack = m.stack[:kept]
	if in.not {
		m.back(base) // only values are left
	}
	return found != in.not
}

func (m *machine) refer(in *inst, place int32) (int32, bool) {
	from, to := m.regs[2*in.x], m.regs[2*in.x+1]
	if from < 0 || to < 0 {
		return place, true
	}
	n := to - from
	start := place
	if in.back {
		start -= n
	}
	if start < 0 || start+n > m.size {
		return place, false
	}
	m.steps += int(n)
	for i := range n {
		if a, b := m.at(from+i), m.at(start+i); a != b && !(in.fold && upper(a) == upper(b)) {
			return place, false
		}
	}
	if in.back {
		return start, true
	}
	return start + n, true
}

func (m *machine) boundary(place int32) bool {
	word := func(i int32) bool {
		if i < 0 || i >= m.size {
			return false
		}
		c := m.at(i)
		return isLetter(c) || isDigit(c) || c == '_'
	}
	return word(place-1) != word(place)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// codeUnits returns s in JavaScript's encoding: a character outside the basic plane is two units, each a character to
// an expression without the u flag.
func codeUnits(s string) []uint16 {
	units := make([]uint16, 0, len(s))
	for _, r := range s {
		units = utf16.AppendRune(units, r)
	}
	return units
}
