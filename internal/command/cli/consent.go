package cli

// A Consent is the value of --trust: a switch, or the code of the entries that the user has seen.
type Consent struct {
	Asked bool
	Code  string
}

func (c *Consent) String() string { return c.Code }

func (c *Consent) Set(s string) error {
	switch s {
	case "true", "false":
		c.Asked, c.Code = s == "true", ""
	default:
		c.Asked, c.Code = true, s
	}
	return nil
}

// IsBoolFlag lets package flag accept the name without a value.
func (c *Consent) IsBoolFlag() bool { return true }
