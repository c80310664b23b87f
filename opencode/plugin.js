// Events without a timeout of their own get LIMIT ms: OpenCode itself waits for a plugin forever.
const LIMIT = 600000, STOPS = 8
const GATES = ["PreToolUse", "UserPromptSubmit", "SubagentStart", "PermissionRequest", "PreCompact"]
const VERDICTS = [undefined, "allow", "approve", "ask", "deny", "block"] // as an answer states them
const REFUSALS = ["ask", "deny", "block"] // a plugin can't ask the user

export const Hookbridge = async ({ client, directory, worktree }) => {
  const sessions = new Map(), running = new Set() // running: what dispose waits for
  const fresh = (id) => ({ id, notes: new Map(), calls: new Map(), pending: [], late: [], env: {}, stops: 0 })
  const session = (id) => sessions.get(id) ?? sessions.set(id, fresh(id)).get(id)
  const root = (s) => (s.parent && sessions.has(s.parent) ? root(sessions.get(s.parent)) : s)
  const lines = (...x) => x.filter(Boolean).join("\n")
  const isObject = (x) => typeof x === "object" && x !== null && !Array.isArray(x)
  const show = (message, variant) => {
    if (process.argv.includes("run")) process.stderr.write("hookbridge: " + message + "\n")
    Promise.resolve(client.tui.showToast({ body: { message, variant } })).catch(() => {})
  }
  const start = (entry, payload) => new Promise((resolve) => {
    let out = "", err = "", timer
    const end = (result) => (clearTimeout(timer), resolve(result))
    const windows = process.platform === "win32"
    const options = { cwd: directory, shell: !entry.args, detached: !windows, windowsHide: true, stdio: ["pipe", "pipe", "pipe"] }
    const child = spawn(entry.command, entry.args ?? [], options)
    const kill = () => { try { windows ? child.kill() : process.kill(-child.pid, "SIGKILL") } catch {} }
    timer = setTimeout(() => (kill(), end({ failed: "timed out" })), entry.timeout ? entry.timeout * 1000 : LIMIT)
    child.on("error", (e) => end({ failed: e.message }))
    child.on("close", (code, signal) => end(code === 0 ? { out } : { failed: lines(signal ?? `exit code ${code}`, err.trim()) }))
    child.stdout.setEncoding("utf8").on("data", (d) => (out += d))
    child.stderr.setEncoding("utf8").on("data", (d) => (err += d))
    child.stdin.on("error", () => {}).end(JSON.stringify(payload) + "\n")
  })

  // answerOf starts one entry. What is no answer of this protocol is a failure, never an allow.
  async function answerOf(entry, payload) {
    const event = payload.hook_event_name, job = start(entry, payload)
    running.add(job)
    const result = await job
    running.delete(job)
    if (!result.failed) {
      try {
        const a = JSON.parse(result.out), h = a.hookSpecificOutput ?? {}
        if (!isObject(a) || !isObject(h) || !isObject(h.updatedInput ?? {})) result.failed = "the answer is not an object"
        else if (a.protocol !== PROTOCOL) result.failed = `protocol ${a.protocol} in place of ${PROTOCOL}: run hookbridge install again`
        else if (!VERDICTS.includes(h.permissionDecision) || !VERDICTS.includes(a.decision)) result.failed = "unknown decision"
        else return a
      } catch { result.failed = "the answer is not JSON" }
    }
    show(`${event}: ${result.failed}`, "error")
    return entry.failClosed && GATES.includes(event) ? { decision: "block", reason: "hookbridge: " + result.failed } : {}
  }

  // ask runs the entries of an event one after the other. Each runs; a denial stays.
  async function ask(event, s, more) {
    const top = root(s), sub = top === s ? {} : { agent_id: s.id, agent_type: s.agent }, sum = {}
    const payload = { protocol: PROTOCOL, session_id: top.id, cwd: directory, worktree, hook_event_name: event, ...sub, ...more }
    for (const entry of ENTRIES.hooks[event] ?? []) {
      const a = await answerOf(entry, payload), h = a.hookSpecificOutput ?? {}
      if (a.systemMessage) show(a.systemMessage, "info")
      Object.assign(top.env, h.env)
      const stop = a.continue === false
      if (!sum.deny && (stop || REFUSALS.includes(h.permissionDecision) || REFUSALS.includes(a.decision))) {
        sum.deny = true
        sum.reason = (stop && a.stopReason) || h.permissionDecisionReason || a.reason || "blocked by a hook"
      }
      sum.stop ||= stop
      sum.allow ||= h.permissionDecision === "allow"
      sum.context = lines(sum.context, h.additionalContext)
      if (sum.reply?.behavior !== "deny") sum.reply = h.decision ?? sum.reply
      if (h.updatedInput) payload.tool_input = sum.input = h.updatedInput
      if (h.updatedToolOutput !== undefined) sum.output = h.updatedToolOutput
    }
    return sum
  }
  const abort = (s) => Promise.race([client.session.abort({ path: { id: root(s).id } }), new Promise((r) => setTimeout(r, 5000).unref())]).catch(() => {})
  const post = (url, body) => client._client.post({ url, body, headers: { "Content-Type": "application/json" } })
  const tail = (o, text) => {
    if (text) o.content ? o.content.push({ type: "text", text }) : (o.output = (o.output ?? "") + "\n\n" + text)
  }
  const add = (message, parts, text) => { // a part of the prompt that only the model sees; parts are sorted by id
    const id = (parts.at(-1)?.id ?? "prt_0") + "z"
    if (text) parts.push({ id, sessionID: message.sessionID, messageID: message.id, type: "text", text, synthetic: true })
  }
  const begin = (s, source) => (s.begun = ask("SessionStart", s, { source }).then((a) => void (a.context && s.late.push(a.context))))

  async function idle(s) {
    const a = await ask("Stop", s, { stop_hook_active: s.stops > 0, last_assistant_message: s.said ?? "" })
    if (!a.deny || a.stop) return void (s.stops = 0)
    if (++s.stops > STOPS) return show(`Stop: hooks continued the turn ${STOPS} times; it ends now`, "warning")
    const parts = [{ type: "text", text: a.reason, synthetic: true, metadata: { hookbridge: true } }]
    await client.session.prompt({ path: { id: s.id }, body: { parts } })
  }
  async function permission(s, p) {
    const id = p.tool?.callID, { permission: name, patterns, metadata } = p
    const { tool = name, args = metadata, allow } = s.calls.get(id) ?? {}
    if (allow && name !== "doom_loop") return void (await post(`/permission/${p.id}/reply`, { reply: "once" }))
    const use = { tool_name: tool, tool_input: args, tool_use_id: id, permission: name, patterns, metadata }
    const a = await ask("PermissionRequest", s, use), no = a.deny || a.reply?.behavior === "deny"
    const message = a.reply?.message ?? a.reason
    if (no) await post(`/permission/${p.id}/reply`, { reply: "reject", message })
    else if (a.reply?.behavior === "allow") await post(`/permission/${p.id}/reply`, { reply: "once" })
    else await ask("Notification", s, { notification_type: "permission_prompt", message: `${name}: ${patterns.join(", ")}` })
  }
  async function event(type, p) { // OpenCode doesn't wait for these
    const id = type === "session.created" || type === "session.deleted" ? p.info.id : p.sessionID
    const s = id ? session(id) : null, part = type === "message.part.updated" ? p.part : {}
    if (type === "session.created") (s.parent = p.info.parentID) || (await begin(s, "startup"))
    else if (type === "session.deleted") sessions.delete(id) && s.begun && (await ask("SessionEnd", s, { reason: "clear" }))
    else if (s && (type === "session.error" || p.info?.error)) s.failed = true // an aborted answer, too
    else if (type === "session.idle") {
      const failed = s.failed
      s.failed = false
      if (!s.parent && !failed && s.begun) await idle(s)
    } else if (type === "session.compacted") {
      await ask("PostCompact", s, { trigger: s.trigger })
      if (!s.parent) await begin(s, "compact")
    } else if (part.type === "compaction") Object.assign(s, part.auto ? { trigger: "auto" } : { trigger: "manual", failed: true })
    else if (part.type === "tool" && part.state.status === "error" && s.calls.has(part.callID)) {
      const call = part.callID, { args } = s.calls.get(call)
      const use = { tool_name: part.tool, tool_input: args, tool_use_id: call, error: part.state.error }
      s.calls.delete(call)
      s.pending.push(ask("PostToolUseFailure", s, use).then((a) => s.notes.set(call, lines(s.notes.get(call), a.context, a.deny && a.reason))))
    } else if (type === "permission.asked") await permission(s, p)
  }

  return {
    event: async ({ event: e }) => void event(e.type, e.properties).catch((x) => show(String(x), "error")),
    dispose: async () => {
      await Promise.all(running)
      for (const s of sessions.values()) if (!s.parent && s.begun) await ask("SessionEnd", s, { reason: "other" })
    },
    "chat.message": async (input, { message, parts }) => {
      if (parts.some((p) => p.metadata?.hookbridge)) return // a follow-up of our own
      const s = session(input.sessionID)
      const prompt = lines(...parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text))
      s.agent = message.agent
      if (!s.parent) await (s.begun ?? begin(s, "resume"))
      const a = await ask(s.parent ? "SubagentStart" : "UserPromptSubmit", s, { prompt })
      s.stops = 0
      if (a.deny) { show("prompt blocked: " + a.reason, "warning"); throw new Error(a.reason) }
      for (const text of [...s.late.splice(0), a.context]) add(message, parts, text)
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (tool === "invalid") return // a call of an unknown tool
      const s = session(sessionID), a = await ask("PreToolUse", s, { tool_name: tool, tool_input: args, tool_use_id: callID })
      if (a.stop) await abort(s)
      if (a.deny) throw new Error(a.reason)
      if (a.input) for (const k of Object.keys(args)) delete args[k] // in place: a new object doesn't reach the tool
      Object.assign(args, a.input)
      s.calls.set(callID, { tool, args: { ...args }, allow: a.allow })
      s.notes.set(callID, a.context)
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      if (tool === "invalid" || !output) return
      const s = session(sessionID), child = tool === "task" && sessions.get(output.metadata?.sessionId)
      const note = s.notes.get(callID)
      s.calls.delete(callID), s.notes.delete(callID)
      const b = child ? await ask("SubagentStop", child, { last_assistant_message: child.said ?? "" }) : {}
      const a = await ask("PostToolUse", s, { tool_name: tool, tool_input: args, tool_use_id: callID, tool_response: output })
      const text = typeof a.output === "string" ? a.output : JSON.stringify(a.output)
      if (text !== undefined) output.content ? (output.content = [{ type: "text", text }]) : (output.output = text)
      tail(output, lines(b.context, b.deny && b.reason, note, a.context, a.deny && !a.stop && a.reason))
      if (a.stop) await abort(s) // before the result reaches the model
    },
    "shell.env": async (input, { env }) => void Object.assign(env, input.sessionID && root(session(input.sessionID)).env),
    "experimental.text.complete": async (input, output) => void (session(input.sessionID).said = output.text),
    "experimental.session.compacting": async (input, output) => {
      const s = session(input.sessionID), a = await ask("PreCompact", s, { trigger: s.trigger, custom_instructions: "" })
      if (a.deny) { show("compaction blocked: " + a.reason, "warning"); throw new Error(a.reason) }
      if (a.context) output.context.push(a.context)
    },
    "experimental.chat.messages.transform": async (_, { messages }) => { // notes on failed calls
      const user = messages.findLast((m) => m.info.role === "user")
      if (!user) return
      const s = session(user.info.sessionID)
      await Promise.all(s.pending.splice(0))
      for (const { type, state, callID } of messages.flatMap((m) => m.parts))
        if (type === "tool" && state.status === "error" && s.notes.get(callID)) state.error += "\n\n" + s.notes.get(callID)
      for (const text of s.late) add(user.info, user.parts, text)
    },
  }
}
