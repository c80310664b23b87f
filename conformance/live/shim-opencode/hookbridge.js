// hookbridge for OpenCode: hands events to a command as JSON on stdin and applies its JSON answer. The examples shim-* try what a plugin can do.
import { spawn } from "node:child_process"

const COMMAND = ["hookbridge", "run", "--host", "opencode"] // hookbridge:command
const EVENTS = null // hookbridge:events, an array: only these start a process
const OPTIONS = { timeout: 600000, failClosed: false, stop: "idle" } // hookbridge:options; stop: "idle", or "text" for `opencode run`
const GATES = ["PreToolUse", "UserPromptSubmit", "SubagentStart", "PermissionRequest"]

export const Hookbridge = async ({ client, directory, worktree }) => {
  const sessions = new Map(), running = new Set() // running: what dispose waits for
  const fresh = (id) => ({ id, notes: new Map(), calls: new Map(), allowed: new Set(), pending: [], late: [], env: {} })
  const session = (id) => sessions.get(id) ?? sessions.set(id, fresh(id)).get(id)
  const root = (s) => (s.parent && sessions.has(s.parent) ? root(sessions.get(s.parent)) : s)
  const lines = (...x) => x.filter(Boolean).join("\n")
  const show = (message, variant) => {
    if (process.argv.includes("run")) process.stderr.write("hookbridge: " + message + "\n")
    client.tui.showToast({ body: { message, variant } }).catch(() => {})
  }
  const start = (payload) => new Promise((resolve) => {
    let out = "", err = ""
    const child = spawn(COMMAND[0], COMMAND.slice(1), { cwd: directory, stdio: ["pipe", "pipe", "pipe"], windowsHide: true })
    const end = (r) => (clearTimeout(timer), resolve(r))
    const timer = setTimeout(() => { child.kill("SIGKILL"); end({ failed: "timed out" }) }, OPTIONS.timeout)
    child.on("error", (e) => end({ failed: e.message }))
    child.on("close", (code) => end({ code, out, err }))
    child.stdout.setEncoding("utf8").on("data", (d) => (out += d)), child.stderr.setEncoding("utf8").on("data", (d) => (err += d))
    child.stdin.on("error", () => {}).end(JSON.stringify(payload) + "\n")
  })

  // Run the command for one event; its answer in few words
  async function ask(event, s, more) {
    if (EVENTS && !EVENTS.includes(event)) return {}
    const top = root(s), sub = top === s ? {} : { agent_id: s.id, agent_type: s.agent }
    const job = start({ session_id: top.id, cwd: directory, worktree, hook_event_name: event, ...sub, ...more })
    const r = await (running.add(job), job)
    running.delete(job)
    let a = {}
    try { if (r.code === 0 && r.out.trim()) a = JSON.parse(r.out) } catch { r.failed = "answered no JSON" }
    if (r.code === 2) a = { decision: "block", reason: r.err.trim() }
    else if (r.code !== 0) r.failed ??= "exit " + r.code + ": " + r.err.trim()
    if (r.failed) {
      show(event + ": " + r.failed, "error")
      a = OPTIONS.failClosed && GATES.includes(event) ? { decision: "block", reason: "hookbridge: " + r.failed } : {}
    }
    const h = a.hookSpecificOutput ?? {}, stop = a.continue === false
    if (a.systemMessage) show(a.systemMessage, "info")
    Object.assign(top.env, h.env)
    return {
      stop, deny: stop || ["deny", "ask"].includes(h.permissionDecision) || ["block", "deny"].includes(a.decision),
      allow: h.permissionDecision === "allow", input: h.updatedInput, output: h.updatedToolOutput, context: h.additionalContext, reply: h.decision,
      reason: (stop && a.stopReason) || h.permissionDecisionReason || a.reason || "blocked by a hook",
    }
  }
  const abort = (s) => void client.session.abort({ path: { id: root(s).id } }).catch(() => {})
  const post = (url, body) => client._client.post({ url, body, headers: { "Content-Type": "application/json" } })
  const tail = (o, text) => { if (text) o.content ? o.content.push({ type: "text", text }) : (o.output = (o.output ?? "") + "\n\n" + text) }
  const add = (message, parts, text) => { // a part of the prompt that only the model sees
    const id = (parts.at(-1)?.id ?? "prt_0") + "z"
    if (text) parts.push({ id, sessionID: message.sessionID, messageID: message.id, type: "text", text, synthetic: true })
  }
  const begin = (s, source) => (s.begun = ask("SessionStart", s, { source }).then((a) => void (a.context && s.late.push(a.context))))
  async function stopping(s, noReply) { // with noReply the loop, still running, finds a newer user message and goes on
    const a = await ask("Stop", s, { stop_hook_active: !!s.active, last_assistant_message: s.said ?? "" })
    s.active = a.deny && !a.stop
    const parts = [{ type: "text", text: a.reason, synthetic: true, metadata: { hookbridge: true } }]
    if (s.active) await client.session.prompt({ path: { id: s.id }, body: { noReply, parts } })
  }

  async function event(type, p) { // nobody waits for these
    const s = p.sessionID ? session(p.sessionID) : null, part = type === "message.part.updated" ? p.part : {}
    if (type === "session.created") (s.parent = p.info.parentID) || (await begin(s, "startup"))
    else if (s && (type === "session.error" || p.info?.error)) s.failed = true // an aborted answer, too
    else if (type === "session.deleted") sessions.delete(s.id) && s.begun && (await ask("SessionEnd", s, { reason: "clear" }))
    else if (type === "session.idle") {
      const failed = s.failed
      s.failed = false
      if (!s.parent && !failed && s.begun && OPTIONS.stop === "idle") await stopping(s, false)
    } else if (type === "session.compacted") (await ask("PostCompact", s, { trigger: s.trigger })) && s.parent || (await begin(s, "compact"))
    else if (part.type === "compaction") Object.assign(s, part.auto ? { trigger: "auto" } : { trigger: "manual", failed: true }) // no Stop
    else if (part.type === "tool" && part.state.status === "error" && s.calls.has(part.callID)) {
      const id = part.callID, use = { tool_name: part.tool, tool_input: s.calls.get(id), tool_use_id: id, error: part.state.error }
      s.calls.delete(id)
      s.pending.push(ask("PostToolUseFailure", s, use).then((a) => s.notes.set(id, lines(s.notes.get(id), a.context, a.deny && a.reason))))
    } else if (type === "permission.asked") {
      const id = p.tool?.callID, input = s.calls.get(id) ?? p.metadata, { permission, patterns, metadata } = p
      const use = { tool_name: permission, tool_input: input, tool_use_id: id, patterns, metadata }
      const a = s.allowed.has(id) ? { reply: { behavior: "allow" } } : await ask("PermissionRequest", s, use)
      const no = a.deny || a.reply?.behavior === "deny"
      const reply = no ? { reply: "reject", message: a.reply?.message ?? a.reason } : { reply: "once" }
      if (no || a.reply) await post(`/permission/${p.id}/reply`, reply)
      else await ask("Notification", s, { notification_type: "permission_prompt", message: `${permission}: ${patterns.join(", ")}` })
    }
  }

  return {
    event: async ({ event: e }) => void event(e.type, e.properties).catch((x) => show(String(x), "error")),
    dispose: async () => {
      await Promise.all(running)
      for (const s of sessions.values()) if (!s.parent && s.begun) await ask("SessionEnd", s, { reason: "other" })
    },
    "chat.message": async (input, { message, parts }) => {
      const s = session(input.sessionID), prompt = lines(...parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text))
      if (parts.some((p) => p.metadata?.hookbridge)) return // our own
      s.agent = message.agent
      if (!s.parent) await (s.begun ?? begin(s, "resume"))
      const a = await ask(s.parent ? "SubagentStart" : "UserPromptSubmit", s, { prompt })
      s.active = false
      if (a.deny) { show("prompt blocked: " + a.reason, "warning"); throw new Error(a.reason) }
      for (const text of [...s.late.splice(0), a.context]) add(message, parts, text)
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (tool === "invalid") return // a call of an unknown tool
      const s = session(sessionID), a = await ask("PreToolUse", s, { tool_name: tool, tool_input: args, tool_use_id: callID })
      if (a.stop) abort(s)
      if (a.deny) throw new Error(a.reason)
      if (a.input) for (const k of Object.keys(args)) delete args[k] // in place: a new object would not reach the tool
      Object.assign(args, a.input)
      s.calls.set(callID, { ...args })
      s.notes.set(callID, a.context)
      if (a.allow) s.allowed.add(callID)
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      if (tool === "invalid" || !output) return
      const s = session(sessionID), child = tool === "task" && sessions.get(output.metadata?.sessionId)
      s.calls.delete(callID)
      const b = child ? await ask("SubagentStop", child, { last_assistant_message: child.said ?? "" }) : {}
      const a = await ask("PostToolUse", s, { tool_name: tool, tool_input: args, tool_use_id: callID, tool_response: output })
      const text = typeof a.output === "string" ? a.output : JSON.stringify(a.output)
      if (text !== undefined) output.content ? (output.content = [{ type: "text", text }]) : (output.output = text)
      tail(output, lines(b.context, b.deny && b.reason, s.notes.get(callID), a.context, a.deny && !a.stop && a.reason))
      if (a.stop) abort(s)
    },
    "shell.env": async (input, { env }) => void Object.assign(env, input.sessionID && root(session(input.sessionID)).env),
    "experimental.text.complete": async (input, output) => {
      const s = Object.assign(session(input.sessionID), { said: output.text })
      if (!s.parent && s.begun && OPTIONS.stop === "text") await stopping(s, true)
    },
    "experimental.session.compacting": async (input, output) => {
      const s = session(input.sessionID), { context } = await ask("PreCompact", s, { trigger: s.trigger, custom_instructions: "" })
      if (context) output.context.push(context)
    },
    "experimental.chat.messages.transform": async (_, { messages }) => { // words on failed calls, and those that came between two prompts
      const user = messages.findLast((m) => m.info.role === "user"), s = session(user?.info.sessionID)
      await Promise.all(s.pending.splice(0))
      for (const { type, state, callID } of messages.flatMap((m) => m.parts))
        if (type === "tool" && state.status === "error" && s.notes.get(callID)) state.error = state.error + "\n\n" + s.notes.get(callID)
      for (const text of s.late) add(user.info, user.parts, text)
    },
  }
}
