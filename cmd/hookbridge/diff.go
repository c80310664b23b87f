package main

import "strings"

func coloredDiff(p painter, diff string) string {
	if !p.on {
		return diff
	}
	lines := strings.SplitAfter(diff, "\n")
	for i, line := range lines {
		text, color := strings.TrimSuffix(line, "\n"), ""
		switch {
		case strings.HasPrefix(text, "---") || strings.HasPrefix(text, "+++"):
			color = strong
		case strings.HasPrefix(text, "+"):
			color = good
		case strings.HasPrefix(text, "-"):
			color = bad
		case strings.HasPrefix(text, "@@"):
			color = faint
		}
		lines[i] = p.paint(color, text) + line[len(text):]
	}
	return strings.Join(lines, "")
}
