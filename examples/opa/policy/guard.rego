# One policy for every agent: hookbridge shows this hook each agent's calls in the
# words of Claude Code, so that the rules know one set of tool names and fields.
package hookbridge

# answer is what the hook prints. It is always defined.
answer := {"hookSpecificOutput": object.union({"hookEventName": "PreToolUse"}, decision)}

default decision := {}

decision := {"permissionDecision": "deny", "permissionDecisionReason": concat(" ", sort(denied))} if {
	count(denied) > 0
} else := {"permissionDecision": "ask", "permissionDecisionReason": concat(" ", sort(asked))} if {
	count(asked) > 0
}

denied contains "rm -rf isn't allowed; name the files." if {
	input.tool_name == "Bash"
	regex.match(`\brm\s+(-\w+\s+)*-\w*(rf|fr)`, input.tool_input.command)
}

denied contains "Secrets stay in .env; no tool may open it." if {
	some field in ["file_path", "path", "notebook_path"]
	regex.match(`(^|/)\.env$`, input.tool_input[field])
}

asked contains "A force push rewrites the others' history." if {
	input.tool_name == "Bash"
	regex.match(`\bgit\s+push\b.*\s(-f|--force)\b`, input.tool_input.command)
}
