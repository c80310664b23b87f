package hookbridge_test

import data.hookbridge

decision(call) := answer.hookSpecificOutput.permissionDecision if {
	answer := hookbridge.answer with input as call
}

test_rm if decision({"tool_name": "Bash", "tool_input": {"command": "rm -rf build"}}) == "deny"

test_env if decision({"tool_name": "Write", "tool_input": {"file_path": "/p/.env", "content": ""}}) == "deny"

test_push if decision({"tool_name": "Bash", "tool_input": {"command": "git push --force"}}) == "ask"

test_denial_over_question if {
	decision({"tool_name": "Bash", "tool_input": {"command": "rm -rf x && git push -f"}}) == "deny"
}

test_others if {
	answer := hookbridge.answer with input as {"tool_name": "Bash", "tool_input": {"command": "ls"}}
	answer == {"hookSpecificOutput": {"hookEventName": "PreToolUse"}}
}
