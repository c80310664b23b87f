package cli

import "strings"

// ColoredDiff colors a unified diff if the painter is on.
func ColoredDiff(p Painter, diff string) string {
	if !p.On {
		return diff
	}
	lines := strings.SplitAfter(diff, "\n")
	for i, line := range lines {
		text, color := strings.TrimSuffix(line, "\n"), ""
		switch {
		case strings.HasPrefix(text, "---") || strings.HasPrefix(text, "+++"):
			color = Strong
		case strings.HasPrefix(text, "+"):
			color = Good
		case strings.HasPrefix(text, "-"):
			color = Bad
		case strings.HasPrefix(text, "@@"):
			color = Faint
		}
		lines[i] = p.Paint(color, text) + line[len(text):]
	}
	return strings.Join(lines, "")
}
