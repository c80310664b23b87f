#compdef hookbridge
# hookbridge completion for zsh: put it into a folder of $fpath as _hookbridge
_hookbridge() {
	local -a commands
	commands=(
#COMMANDS
	)
	if (( CURRENT == 2 )); then
		_describe command commands
		return
	fi
	local command=$words[2]
	shift words
	(( CURRENT-- ))
	case $command in
#ARGUMENTS
	esac
}
if [ "$funcstack[1]" = _hookbridge ]; then _hookbridge "$@"; else compdef _hookbridge hookbridge; fi
