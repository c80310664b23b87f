# hookbridge completion for bash: eval "$(hookbridge completion bash)"
_hookbridge() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd=${COMP_WORDS[1]} words=
	COMPREPLY=()
	if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi # --flag=value
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "COMMANDS" -- "$cur"))
		return
	fi
	case "$cmd $prev" in
#VALUES
	esac
	if [ -z "$words" ]; then
		case "$cmd" in
#WORDS
		esac
	fi
	COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _hookbridge hookbridge
