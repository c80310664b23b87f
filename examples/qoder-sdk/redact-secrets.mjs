// Takes what looks like a secret out of a tool's result before the model sees it.
const secrets = [/\bAKIA[0-9A-Z]{16}\b/g, /\bghp_[A-Za-z0-9]{36}\b/g, /\b(api[_-]?key|token|password)(\s*[=:]\s*)\S+/gi];

function clean(text) {
  return secrets.reduce((t, s) => t.replace(s, (all, name, sep) => (typeof sep === "string" ? name + sep : "") + "[redacted]"), text);
}

async function redact(input) {
  const r = input.tool_response;
  const before = typeof r === "string" ? r : typeof r?.stdout === "string" ? r.stdout + (r.stderr ?? "") : JSON.stringify(r ?? "");
  const after = clean(before);
  if (after === before) return {};
  return { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: after, additionalContext: "Secrets were taken out of this result." } };
}

export const hooks = { PostToolUse: [{ hooks: [redact] }] };
