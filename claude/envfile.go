package claude

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// ParseEnvFile reads what a hook wrote to CLAUDE_ENV_FILE.
func (Dialect) ParseEnvFile(text string, env schema.Environ) ([]schema.EnvVar, schema.Diagnostics) {
	return family.ParseEnvFile(text, env)
}
