package family

import (
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// A VerdictWord is the word for a verdict. Of several words for one the first is
// written.
type VerdictWord struct {
	Word    string
	Verdict schema.Verdict
}

// Verdicts are the words of an agent; the zero value is PlainVerdicts.
type Verdicts []VerdictWord

// PlainVerdicts are the words of the agents that have no others.
var PlainVerdicts = Verdicts{{"allow", schema.Allow}, {"deny", schema.Deny}, {"ask", schema.Ask}}

// Of is the verdict of a word, NoOpinion if it is none.
func (vs Verdicts) Of(word string) schema.Verdict {
	if v := lists.Find(vs.rows(), func(v *VerdictWord) bool { return v.Word == word }); v != nil {
		return v.Verdict
	}
	return schema.NoOpinion
}

// Word is the word for a verdict, "" if there is none.
func (vs Verdicts) Word(verdict schema.Verdict) string {
	if v := lists.Find(vs.rows(), func(v *VerdictWord) bool { return v.Verdict == verdict }); v != nil {
		return v.Word
	}
	return ""
}

// UnknownWord reports a decision in a word that the agent doesn't know, and by which the call proceeds there.
func (d *Decoder) UnknownWord(field, word string, known ...string) (unknown bool) {
	if word == "" || slices.Contains(known, word) {
		return false
	}
	data := d.Agent.Data
	d.Add(schema.CodeBadSchema, field+" is "+strconv.Quote(word)+", which "+data.Title+data.Checked()+
		" doesn't know and ignores")
	return true
}

// UnknownVerdict is UnknownWord for a permissionDecision.
func (d *Decoder) UnknownVerdict(word string) (unknown bool) {
	if d.Row.Event != schema.PreTool {
		return false
	}
	return d.UnknownWord("permissionDecision", word, "allow", "deny", "ask")
}

func (vs Verdicts) rows() Verdicts {
	if vs == nil {
		return PlainVerdicts
	}
	return vs
}
