package qoder

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// ParseEnvFile reads what a hook wrote to QODER_ENV_FILE: one assignment or
// export a line, its value plain, in single quotes or in double quotes. $NAME and
// ${NAME} stand for what was set before or is in env. Whatever else a shell could
// do with the file is reported line by line and not carried.
func (Dialect) ParseEnvFile(text string, env schema.Environ) ([]schema.EnvVar, schema.Diagnostics) {
	var vars []schema.EnvVar
	var ds schema.Diagnostics
	get := func(name string) string {
		for i := len(vars) - 1; i >= 0; i-- {
			if vars[i].Name == name {
				return vars[i].Value
			}
		}
		return env.Get(name)
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, raw, ok := strings.Cut(strings.TrimLeft(strings.TrimPrefix(line, "export "), " \t"), "=")
		value := ""
		if ok && shell.IsName(name) {
			value, ok = unquote(raw, get)
		} else {
			ok = false
		}
		if !ok {
			ds.Add(schema.CodeEnvFile, "", "line "+strconv.Itoa(i+1)+" of the environment file needs a shell: "+line).Line = i + 1
			continue
		}
		vars = append(vars, schema.EnvVar{Name: name, Value: value})
	}
	return vars, ds
}

// unquote reads the value of one assignment up to the end of its line; ok is
// false if a shell is needed to know it.
func unquote(s string, get func(string) string) (value string, ok bool) {
	var b strings.Builder
	for quote := byte(0); ; {
		if s == "" {
			return b.String(), quote == 0
		}
		c := s[0]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'':
			b.WriteByte(c)
		case c == '$':
			name, rest := variable(s[1:])
			if name == "" {
				return "", false
			}
			b.WriteString(get(name))
			s = rest
			continue
		case c == '\\' && len(s) > 1 && (quote == 0 || strings.IndexByte("$`\"\\", s[1]) >= 0):
			b.WriteByte(s[1])
			s = s[1:]
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == '`' || quote == 0 && (strings.IndexByte(" \t;&|<>()\\", c) >= 0 || c == '~' && b.Len() == 0):
			return "", false
		default:
			b.WriteByte(c)
		}
		s = s[1:]
	}
}

// variable reads a name behind "$", in braces or not; "" if there is none.
func variable(s string) (name, rest string) {
	if inner, ok := strings.CutPrefix(s, "{"); ok {
		name, rest, ok = strings.Cut(inner, "}")
		if !ok || !shell.IsName(name) {
			return "", ""
		}
		return name, rest
	}
	name = shell.Name(s)
	return name, s[len(name):]
}
