const REFUSALS = ["ask", "deny", "block"], DENIES = ["PreToolUse", "UserPromptSubmit", "PreCompact"] // where 2 refuses
const VERDICTS = [undefined, "allow", "approve", ...REFUSALS] // as an answer states them

export default function hookbridge(pi) {
  const notes = new Map() // by call: context from before it
  let late = [], said = "", stops = 0
  const lines = (...x) => x.filter(Boolean).join("\n")
  const show = (ctx, message, kind) => {
    try { if (ctx.hasUI) return void ctx.ui.notify(message, kind) } catch {}
    process.stderr.write("hookbridge: " + message + "\n")
  }
  function start(entry, payload, cwd) {
    let out = "", err = "", timer
    const windows = process.platform === "win32"
    const options = { cwd, shell: !entry.args, detached: !windows, windowsHide: true }
    return new Promise((resolve, reject) => {
      const fail = (why, refuses) => reject(Object.assign(new Error(why), { refuses }))
      const child = spawn(entry.command, entry.args ?? [], options)
      const kill = () => { try { windows ? child.kill() : process.kill(-child.pid, "SIGKILL") } catch {} }
      timer = setTimeout(() => (fail("timed out", true), kill()), Math.min(entry.timeout ?? LIMIT, MOST) * 1000)
      child.on("error", reject)
      child.on("close", (code, signal) => code === 0 ? resolve(out) : fail(lines(signal ?? `exit code ${code}`, err.trim()), code === 2))
      child.stdout.setEncoding("utf8").on("data", (d) => (out += d))
      child.stderr.setEncoding("utf8").on("data", (d) => (err += d))
      child.stdin.on("error", () => {}).end(JSON.stringify(payload) + "\n")
    }).finally(() => clearTimeout(timer))
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
  async function answerOf(entry, payload, ctx) {
    try { return read(await start(entry, payload, ctx.cwd)) } catch (e) {
      const message = e?.message ?? String(e)
      show(ctx, `${payload.hook_event_name}: ${message}`, "error")
      return entry.failClosed || (e?.refuses && DENIES.includes(payload.hook_event_name)) ? { decision: "block", reason: "hookbridge: " + message } : {}
    }
  }

  // ask runs the entries of an event one after the other. Each runs; the first refusal stays: its reason is set.
  async function ask(event, ctx, more) {
    const payload = { protocol: PROTOCOL, session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, hook_event_name: event, [MODE]: ctx.mode ?? "", ...more }
    const sum = {}
    for (const entry of ENTRIES.hooks[event] ?? []) {
      const a = await answerOf(entry, payload, ctx), h = a.hookSpecificOutput ?? {}
      if (a.systemMessage) show(ctx, a.systemMessage, "info")
      const stop = a.continue === false, why = h.permissionDecisionReason || a.reason
      if (stop || REFUSALS.includes(h.permissionDecision) || REFUSALS.includes(a.decision))
        sum.reason ??= lines(why, stop && a.stopReason !== why && a.stopReason) || "blocked by a hook"
      sum.stop ||= stop
      sum.context = lines(sum.context, h.additionalContext)
      if (h.updatedInput) payload.tool_input = sum.input = h.updatedInput
      sum.output = h.updatedToolOutput ?? sum.output
    }
    return sum
  }
  const note = (content) => ({ customType: "hookbridge", content, display: true })
  const use = (e, more) => ({ tool_name: e.toolName, tool_input: e.input, tool_use_id: e.toolCallId, ...more })
  const textOf = (content) => lines(...(content ?? []).filter((b) => b.type === "text").map((b) => b.text))
  const SOURCES = { new: "clear", resume: "resume", fork: "resume" }

  pi.on("session_start", async ({ reason }, ctx) => {
    if (reason === "reload") return
    const a = await ask("SessionStart", ctx, { source: SOURCES[reason] ?? "startup" })
    if (a.context) late.push(a.context)
  })
  pi.on("input", async ({ text, source }, ctx) => {
    if (source === "extension") return
    const a = await ask("UserPromptSubmit", ctx, { prompt: text })
    stops = 0
    if (a.reason) return show(ctx, "prompt blocked: " + a.reason, "warning"), { action: "handled" }
    if (a.context) late.push(a.context)
  })
  pi.on("before_agent_start", async () => {
    const text = lines(...late.splice(0))
    if (text) return { message: note(text) }
  })
  pi.on("tool_call", async (e, ctx) => {
    const a = await ask("PreToolUse", ctx, use(e))
    if (a.reason) return { block: true, reason: lines(a.reason, a.context), terminate: a.stop || undefined }
    if (a.input) for (const k of Object.keys(e.input)) delete e.input[k] // in place: a new object doesn't reach the tool
    Object.assign(e.input, a.input)
    if (a.context) notes.set(e.toolCallId, a.context)
  })
  pi.on("tool_result", async (e, ctx) => {
    const before = notes.get(e.toolCallId), text = textOf(e.content)
    notes.delete(e.toolCallId)
    const ran = e.structuredContent, exited = ran?.exit_code // of a command
    const error = exited === undefined ? text : lines("Exit code " + exited, ran.output?.trimEnd())
    const a = await (e.isError ? ask("PostToolUseFailure", ctx, use(e, { error }))
      : ask("PostToolUse", ctx, use(e, { tool_response: { content: e.content, structuredContent: ran } })))
    const shown = typeof a.output === "string" ? a.output : JSON.stringify(a.output)
    const more = lines(before, a.context, a.reason)
    if (shown === undefined && !more) return
    const content = shown === undefined ? [...e.content] : [{ type: "text", text: shown }]
    return { content: more ? [...content, { type: "text", text: "\n\n" + more }] : content }
  })
  pi.on("turn_end", async ({ message }) => void (said = textOf(message?.content)))
  pi.on("session_before_compact", async ({ reason, customInstructions }, ctx) => {
    const trigger = reason === "manual" ? "manual" : "auto"
    const a = await ask("PreCompact", ctx, { trigger, custom_instructions: customInstructions ?? "" })
    if (a.reason) return show(ctx, "compaction blocked: " + a.reason, "warning"), { cancel: true }
  })
  pi.on("session_compact", async ({ reason }, ctx) => {
    await ask("PostCompact", ctx, { trigger: reason === "manual" ? "manual" : "auto" })
    const a = await ask("SessionStart", ctx, { source: "compact" })
    if (a.context) late.push(a.context)
  })
  pi.on("session_shutdown", async ({ reason }, ctx) => {
    if (reason !== "reload") await ask("SessionEnd", ctx, { reason: { new: "clear", resume: "resume", fork: "resume" }[reason] ?? "other" })
  })
