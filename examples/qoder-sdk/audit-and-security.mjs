// Writes every tool call down, and guards the files that hold secrets. The audit
// never decides: whatever goes wrong with it, the guard still does.
import { appendFile } from "node:fs/promises";

const AUDIT = process.env.AUDIT_FILE ?? "audit.jsonl";
const PRIVATE = /(^|\/)(\.env(\.[\w-]+)?|id_[a-z0-9]+|[^/]*\.pem)$/;

async function audit(input, toolUseID) {
  const line = { event: input.hook_event_name, tool: input.tool_name, id: toolUseID ?? null };
  await appendFile(AUDIT, JSON.stringify(line) + "\n");
  return {};
}

async function guard(input) {
  if (!PRIVATE.test(input.tool_input.file_path ?? "")) return {};
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "This file holds secrets.",
    },
  };
}

export const hooks = {
  PreToolUse: [{ hooks: [audit] }, { matcher: "^(Read|Write|Edit)$", hooks: [guard] }],
  PostToolUse: [{ hooks: [audit] }],
};
