// Lets tools that only read go ahead without a question.
const READS = "^(Read|Glob|Grep)$";

async function allow() {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", permissionDecisionReason: "It only reads." } };
}

async function answer() {
  return { hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } };
}

export const hooks = {
  PreToolUse: [{ matcher: READS, hooks: [allow] }],
  PermissionRequest: [{ matcher: READS, hooks: [answer] }],
};
