package jsregexp

// A Regexp is a compiled expression: a program for the machine in run.go. It is
// safe for concurrent use.
type Regexp struct {
	code   []inst
	groups int // capturing groups
	regs   int // registers: a start and an end for every group, then those of the repetitions
}

// An inst is one step of a program. A step that fails makes the machine go back to its last choice.
type inst struct {
	op       instOp
	back     bool // goes to the left: inside a look behind
	not      bool // of iBoundary and iLook
	lines    bool // of iStart and iEnd: those of every line
	fold     bool // of iRefer: in any case
	lazy     bool // of iRun and iLoop
	unit     uint16
	set      *set // of iSet, and of iRun; nil: unit
	x, y     int32
	min, max int32 // of iRun and iLoop; max < 0: no bound
}

type instOp uint8

const (
	iUnit     instOp = iota // the next unit is unit
	iSet                    // the next unit is in set
	iRun                    // min to max units that are unit or in set
	iStart                  // here is the start of the text
	iEnd                    // here is its end
	iBoundary               // here is one end of a word
	iJump                   // to x
	iSplit                  // to x, and if that fails to y
	iPlace                  // register x is the place reached
	iZero                   // register x is 0
	iClear                  // registers x to y are unset
	iLoop                   // register x counts: to the next step, the body, or to y, after it
	iMoved                  // one more for register x-1, if it has min already only after a step ahead of register x
	iAhead                  // the place is not that in register x
	iRefer                  // the text of group x again
	iLook                   // what follows matches here, or does not; then to x
	iMatch                  // the end
)

func assemble(n *node, groups int) *Regexp {
	a := &assembler{Regexp: Regexp{groups: groups, regs: 2 * (groups + 1)}}
	a.node(n, false)
	a.emit(inst{op: iMatch})
	return &a.Regexp
}

type assembler struct{ Regexp }

func (a *assembler) emit(in inst) int {
	a.code = append(a.code, in)
	return len(a.code) - 1
}

func (a *assembler) here() int32 { return int32(len(a.code)) }

// node writes the steps for n; back means that they go to the left.
func (a *assembler) node(n *node, back bool) {
	switch n.op {
	case aSequence:
		for i := range n.kids {
			if back {
				i = len(n.kids) - 1 - i
			}
			a.node(n.kids[i], back)
		}

	case aChoice:
		var jumps []int
		for i, k := range n.kids {
			if i == len(n.kids)-1 {
				a.node(k, back)
				break
			}
			split := a.emit(inst{op: iSplit, x: a.here() + 1})
			a.node(k, back)
			jumps = append(jumps, a.emit(inst{op: iJump}))
			a.code[split].y = a.here()
		}
		for _, j := range jumps {
			a.code[j].x = a.here()
		}

	case aUnit:
		a.emit(inst{op: iUnit, unit: n.unit, back: back})
	case aSet:
		a.emit(inst{op: iSet, set: n.set, back: back})
	case aStart:
		a.emit(inst{op: iStart, lines: n.lines})
	case aEnd:
		a.emit(inst{op: iEnd, lines: n.lines})
	case aBoundary:
		a.emit(inst{op: iBoundary, not: n.not})
	case aGroup:
		first, last := int32(2*n.group), int32(2*n.group+1)
		if back {
			first, last = last, first
		}
		a.emit(inst{op: iPlace, x: first})
		a.node(n.kids[0], back)
		a.emit(inst{op: iPlace, x: last})

	case aReference:
		a.emit(inst{op: iRefer, x: int32(n.group), back: back, fold: n.fold})
	case aLook:
		look := a.emit(inst{op: iLook, not: n.not})
		a.node(n.kids[0], n.behind)
		a.emit(inst{op: iMatch})
		a.code[look].x = a.here()

	case aRepetition:
		a.repetition(n, back)
	}
}

// repetition writes a loop. ECMA-262: groups inside are unset at the start of each round, and a round beyond the
// minimum that doesn't move does not count.
func (a *assembler) repetition(n *node, back bool) {
	body := n.kids[0]
	least, most := n.min, n.max
	if most == 0 {
		return
	}
	if body.op == aUnit || body.op == aSet {
		a.emit(inst{op: iRun, unit: body.unit, set: body.set, min: int32(least), max: int32(most), lazy: n.lazy,
			back: back})
		return
	}
	if least == 1 && most == 1 {
		a.node(body, back)
		return
	}

	if least > 1 && fixed(body) { // a second look at the same place has the same result
		least = 1
	}
	if least == 0 && most == 1 {
		a.option(n, back)
		return
	}

	count := int32(a.regs)
	a.regs += 2
	a.emit(inst{op: iZero, x: count})
	loop := a.emit(inst{op: iLoop, x: count, min: int32(least), max: int32(most), lazy: n.lazy})
	if n.from < n.to {
		a.emit(inst{op: iClear, x: int32(2 * n.from), y: int32(2*n.to - 1)})
	}

	a.emit(inst{op: iPlace, x: count + 1})
	a.node(body, back)
	a.emit(inst{op: iMoved, x: count + 1, min: int32(least)})
	a.emit(inst{op: iJump, x: int32(loop)})
	a.code[loop].y = a.here()
}

// option writes an optional part.
func (a *assembler) option(n *node, back bool) {
	split := a.emit(inst{op: iSplit})
	body := a.here()
	place := int32(a.regs)
	a.regs++
	a.emit(inst{op: iPlace, x: place})
	a.node(n.kids[0], back)
	a.emit(inst{op: iAhead, x: place})
	s := &a.code[split]
	if s.x, s.y = body, a.here(); n.lazy {
		s.x, s.y = s.y, s.x
	}
}

// fixed reports whether n never moves on.
func fixed(n *node) bool {
	switch n.op {
	case aUnit, aSet, aReference:
		return false
	case aStart, aEnd, aBoundary, aLook:
		return true
	case aRepetition:
		if n.max == 0 {
			return true
		}
	}
	for _, k := range n.kids {
		if !fixed(k) {
			return false
		}
	}
	return true
}
