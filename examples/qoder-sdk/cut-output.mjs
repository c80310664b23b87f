// Keeps the beginning and the end of a very long tool result.
const KEEP = 1000; // characters of either

async function cut(input) {
  const r = input.tool_response;
  const text = typeof r === "string" ? r : typeof r?.stdout === "string" ? r.stdout : JSON.stringify(r ?? "");
  if (text.length <= 2 * KEEP) return {};
  const left = text.length - 2 * KEEP;
  return {
    hookSpecificOutput: {
      hookEventName: "PostToolUse",
      updatedToolOutput: `${text.slice(0, KEEP)}\n[${left} characters left out]\n${text.slice(-KEEP)}`,
    },
  };
}

export const hooks = { PostToolUse: [{ hooks: [cut] }] };
