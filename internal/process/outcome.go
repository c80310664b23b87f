package process

// An Outcome is a way in which a run may end. The zero Outcome is Clean.
type Outcome uint8

const (
	Clean      Outcome = iota // exit code 0, or detached by Release
	NotStarted                // see Err
	Late                      // it exceeded its time limit
	Killed                    // by a signal
	Refused                   // the exit code with which hooks of their agent deny
	Failed                    // any other exit code
	NumOutcomes
)

// Outcome returns how the run ended. refusal is the exit code with which hooks of their agent deny; 0: none.
func (r *Result) Outcome(refusal int) Outcome {
	switch {
	case r.Err != nil:
		return NotStarted
	case r.TimedOut:
		return Late
	case r.Signal != "":
		return Killed
	case r.Exit == refusal && refusal != 0:
		return Refused
	case r.Exit != 0 && !r.Released:
		return Failed
	}
	return Clean
}
