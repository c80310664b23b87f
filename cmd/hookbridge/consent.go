package main

// A consent is the value of --trust: a switch, or the code of the entries that the user has seen.
type consent struct {
	asked bool
	code  string
}

func (c *consent) String() string { return c.code }

func (c *consent) Set(s string) error {
	switch s {
	case "true", "false":
		c.asked, c.code = s == "true", ""
	default:
		c.asked, c.code = true, s
	}
	return nil
}

// IsBoolFlag lets package flag take the name alone.
func (c *consent) IsBoolFlag() bool { return true }
