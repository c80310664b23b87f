package schema

// Places are the folders in which configuration is looked for.
type Places struct {
	OS      string // as runtime.GOOS
	Home    string // the user's home, "" if unknown
	Project string // root of the project, "" if unknown
	Env     Environ
}

// A Server is an MCP server that an agent is configured with.
type Server struct {
	Name    string
	URL     string
	Command string
	Args    []string
}
