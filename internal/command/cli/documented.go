package cli

import "strings"

// Documented returns a command whose flags are a T; see DocumentedBy.
func Documented[T any, P interface {
	*T
	Tool
}](help string) Command {
	return DocumentedBy(help, func() Tool { return P(new(T)) })
}

// Looking is Documented for a command that only reads files.
func Looking[T any, P interface {
	*T
	Tool
}](help string) Command {
	c := Documented[T, P](help)
	c.Looks = true
	return c
}

// DocumentedBy returns a command whose help is a text: its name and arguments, purpose, behavior, flags, examples and
// exit codes. Flags that the text leaves out, because several commands have them, have their own help.
func DocumentedBy(help string, tool func() Tool) Command {
	head, about, _ := strings.Cut(help, "\n\n")
	about, exits, _ := strings.Cut(about, "\n\nExit codes: ")
	about, examples, _ := strings.Cut(about, "\n\nExamples:\n")
	about, flags, _ := strings.Cut(about, "\n\nFlags:\n")
	name, summary, _ := strings.Cut(head, "\n")
	name, args, _ := strings.Cut(name, " ")

	docs := map[string]FlagDoc{}
	for _, e := range examplesIn(flags) {
		flag, arg, _ := strings.Cut(strings.TrimLeft(e.Line, "-"), " ")
		docs[flag] = FlagDoc{flag, arg, e.Says}
	}
	return Command{Name: name, Summary: summary, Args: args, About: about,
		Exits: strings.ReplaceAll(strings.TrimSpace(exits), "\n", " "), Examples: examplesIn(examples),
		Tool: func() Tool { return documented{tool(), docs} }}
}

// examplesIn reads examples: command lines, each followed by indented lines about it.
func examplesIn(text string) (list []Example) {
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if says, ok := strings.CutPrefix(line, "  "); ok {
			last := &list[len(list)-1]
			last.Says = strings.TrimPrefix(last.Says+"\n"+says, "\n")
		} else if line != "" {
			list = append(list, Example{Line: line})
		}
	}
	return list
}

// A documented tool takes the texts of its flags from the help of its command.
type documented struct {
	tool Tool
	docs map[string]FlagDoc
}

func (d documented) Define(fs *Flags) {
	fs.docs = d.docs
	d.tool.Define(fs)
}

func (d documented) Run(fs *Flags, rest []string, std IO) (int, error) {
	return d.tool.Run(fs, rest, std)
}
