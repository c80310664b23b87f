// Refuses shell commands that cannot be taken back.
const dangerous = [
  [/\brm\s+(-[a-zA-Z]*[rR][a-zA-Z]*\s+|-[a-zA-Z]*f[a-zA-Z]*\s+)+(\/|~|\*)/, "it removes whole trees"],
  [/\bgit\s+push\b.*\s(--force|-f)\b/, "it rewrites history that others have"],
  [/\b(mkfs|dd\s+.*of=\/dev\/)/, "it overwrites a disk"],
];

async function guard(input) {
  const hit = dangerous.find(([pattern]) => pattern.test(input.tool_input.command ?? ""));
  if (!hit) return {};
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: `Not run: ${hit[1]}.`,
    },
  };
}

export const hooks = { PreToolUse: [{ matcher: "^Bash$", hooks: [guard] }] };
