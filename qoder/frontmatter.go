package qoder

import "github.com/hookbridge/hookbridge/internal/frontmatter"

// frontMatter is how skills, commands and sub-agents are read (package and observed 1.1.52). The client tries again
// with quotes if the text isn't YAML; hookbridge reports such a file.
var frontMatter = frontmatter.Rules{Exact: true}
