const LIMIT = 600, STOPS = 8 // seconds of an entry without a timeout: OpenCode itself waits for a plugin forever
const REFUSALS = ["ask", "deny", "block"], DENIES = ["PreToolUse", "UserPromptSubmit", "SubagentStart", "PermissionRequest", "PreCompact"] // where 2 refuses
const VERDICTS = [undefined, "allow", "approve", ...REFUSALS] // as an answer states them

export const Hookbridge = async ({ client, directory, worktree }) => {
  const sessions = new Map(), running = new Set() // running: what dispose waits for
  const fresh = (id) => ({ id, notes: new Map(), calls: new Map(), pending: [], late: [], env: {}, stops: 0 })
  const session = (id) => sessions.get(id) ?? sessions.set(id, fresh(id)).get(id)
  const root = (s) => (s.parent && sessions.has(s.parent) ? root(sessions.get(s.parent)) : s)
  const lines = (...x) => x.filter(Boolean).join("\n")
  const show = (message, variant) => {
    if (process.argv.includes("run")) process.stderr.write("hookbridge: " + message + "\n")
    Promise.resolve(client.tui.showToast({ body: { message, variant } })).catch(() => {})
  }
  function start(entry, payload) {
    let out = "", err = "", timer
    const windows = process.platform === "win32"
    const options = { cwd: directory, shell: !entry.args, detached: !windows, windowsHide: true }
    const job = new Promise((resolve, reject) => {
      const fail = (why, refuses) => reject(Object.assign(new Error(why), { refuses }))
      const child = spawn(entry.command, entry.args ?? [], options)
      const kill = () => { try { windows ? child.kill() : process.kill(-child.pid, "SIGKILL") } catch {} }
      timer = setTimeout(() => (fail("timed out", true), kill()), (entry.timeout ?? LIMIT) * 1000)
      child.on("error", reject)
      child.on("close", (code, signal) => code === 0 ? resolve(out) : fail(lines(signal ?? `exit code ${code}`, err.trim()), code === 2))
      child.stdout.setEncoding("utf8").on("data", (d) => (out += d))
      child.stderr.setEncoding("utf8").on("data", (d) => (err += d))
      child.stdin.on("error", () => {}).end(JSON.stringify(payload) + "\n")
    }).finally(() => (clearTimeout(timer), running.delete(job)))
    running.add(job)
    return job
  }

  // read throws if a text is no answer of this protocol: that is a failure, never an allow.
  function read(text) {
    let a; try { a = JSON.parse(text) } catch {}
    const h = a?.hookSpecificOutput ?? {}
    const isObject = (x) => typeof x === "object" && x !== null && !Array.isArray(x)
    if (![a, h, h.updatedInput ?? {}].every(isObject)) throw new Error("the answer is not a JSON object")
    if (a.protocol !== PROTOCOL) throw new Error(`protocol ${a.protocol} in place of ${PROTOCOL}: run hookbridge install again`)
    if (![a.decision, h.permissionDecision].every((x) => VERDICTS.includes(x))) throw new Error("unknown decision")
    return a
  }
  async function answerOf(entry, payload) {
    try { return read(await start(entry, payload)) } catch ({ message, refuses }) {
      show(`${payload.hook_event_name}: ${message}`, "error")
      return entry.failClosed || (refuses && DENIES.includes(payload.hook_event_name)) ? { decision: "block", reason: "hookbridge: " + message } : {}
    }
  }

  // ask runs the entries of an event one after the other. Each runs; the first refusal stays: its reason is set.
  async function ask(event, s, more) {
    const top = root(s), sub = top === s ? {} : { agent_id: s.id, agent_type: s.agent }, sum = {}
    const payload = { protocol: PROTOCOL, session_id: top.id, cwd: directory, worktree, hook_event_name: event, ...sub, ...more }
    for (const entry of ENTRIES.hooks[event] ?? []) {
      const a = await answerOf(entry, payload), h = a.hookSpecificOutput ?? {}
      if (a.systemMessage) show(a.systemMessage, "info")
      Object.assign(top.env, h.env)
      const stop = a.continue === false, why = h.permissionDecisionReason || a.reason
      if (stop || REFUSALS.includes(h.permissionDecision) || REFUSALS.includes(a.decision))
        sum.reason ??= lines(why, stop && a.stopReason !== why && a.stopReason) || "blocked by a hook"
      sum.stop ||= stop
      sum.allow ||= h.permissionDecision === "allow"
      sum.context = lines(sum.context, h.additionalContext)
      if (sum.reply?.behavior !== "deny") sum.reply = h.decision ?? sum.reply
      if (h.updatedInput) payload.tool_input = sum.input = h.updatedInput
      sum.output = h.updatedToolOutput ?? sum.output
    }
    return sum
  }
  const refuse = (what, { reason }) => { // OpenCode's own error doesn't have the reason
    if (reason) { show(what + " blocked: " + reason, "warning"); throw new Error(reason) }
  }
  const abort = (s) => Promise.race([client.session.abort({ path: { id: root(s).id } }), new Promise((r) => setTimeout(r, 5000).unref())]).catch(() => {})
  const use = (tool_name, tool_input, tool_use_id, more) => ({ tool_name, tool_input, tool_use_id, ...more })
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
    if (!a.reason || a.stop) return void (s.stops = 0)
    if (++s.stops > STOPS) return show(`Stop: hooks continued the turn ${STOPS} times; it ends now`, "warning")
    const parts = [{ type: "text", text: a.reason, synthetic: true, metadata: { hookbridge: true } }]
    await client.session.prompt({ path: { id: s.id }, body: { parts } })
  }
  async function permission(s, { id, permission: name, patterns, metadata, tool: of }) {
    const callID = of?.callID, { tool = name, args = metadata, allow } = s.calls.get(callID) ?? {}
    const reply = (body) => client._client.post({ url: `/permission/${id}/reply`, body, headers: { "Content-Type": "application/json" } })
    if (allow && name !== "doom_loop") return void (await reply({ reply: "once" }))
    const a = await ask("PermissionRequest", s, use(tool, args, callID, { permission: name, patterns, metadata }))
    const { reason, reply: { behavior, message = reason } = {} } = a
    if (reason || behavior === "deny") await reply({ reply: "reject", message })
    else if (behavior === "allow") await reply({ reply: "once" })
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
      const failure = ask("PostToolUseFailure", s, use(part.tool, args, call, { error: part.state.error }))
      s.calls.delete(call)
      s.pending.push(failure.then((a) => s.notes.set(call, lines(s.notes.get(call), a.context, a.reason))))
    } else if (type === "permission.asked") await permission(s, p)
  }

  return {
    event: async ({ event: e }) => void event(e.type, e.properties).catch((x) => show(String(x), "error")),
    dispose: async () => {
      await Promise.allSettled(running)
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
      refuse("prompt", a)
      for (const text of [...s.late.splice(0), a.context]) add(message, parts, text)
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (tool === "invalid") return // a call of an unknown tool
      const s = session(sessionID), a = await ask("PreToolUse", s, use(tool, args, callID))
      if (a.stop) await abort(s)
      if (a.reason) throw new Error(lines(a.reason, a.context))
      if (a.input) for (const k of Object.keys(args)) delete args[k] // in place: a new object doesn't reach the tool
      Object.assign(args, a.input)
      s.calls.set(callID, { tool, args: { ...args }, allow: a.allow })
      s.notes.set(callID, a.context)
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      if (tool === "invalid" || !output) return
      const s = session(sessionID), note = s.notes.get(callID)
      const child = tool === "task" && sessions.get(output.metadata?.sessionId)
      s.calls.delete(callID), s.notes.delete(callID)
      const b = child ? await ask("SubagentStop", child, { stop_hook_active: false, last_assistant_message: child.said ?? "" }) : {}
      const a = await ask("PostToolUse", s, use(tool, args, callID, { tool_response: output }))
      const text = typeof a.output === "string" ? a.output : JSON.stringify(a.output)
      if (text !== undefined) output.content ? (output.content = [{ type: "text", text }]) : (output.output = text)
      tail(output, lines(b.context, b.reason, note, a.context, !a.stop && a.reason))
      if (a.stop) await abort(s) // before the result reaches the model
    },
    "shell.env": async (input, { env }) => void Object.assign(env, input.sessionID && root(session(input.sessionID)).env),
    "experimental.text.complete": async (input, output) => void (session(input.sessionID).said = output.text),
    "experimental.session.compacting": async (input, output) => {
      const s = session(input.sessionID), a = await ask("PreCompact", s, { trigger: s.trigger, custom_instructions: "" })
      refuse("compaction", a)
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
