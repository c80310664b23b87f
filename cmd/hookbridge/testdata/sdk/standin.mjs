#!/usr/bin/env node
// Stands in for the client behind the Agent SDK (wire of SDK 1.0.39): raises the
// events of $STANDIN_EVENTS (a JSON array of hook inputs) once a prompt has come,
// asks every callback whose matcher fits, and writes what came back to
// $STANDIN_OUT, a line an answer. An event with "abortAfter" milliseconds is
// cancelled after that.
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const events = JSON.parse(readFileSync(process.env.STANDIN_EVENTS, "utf8"));
const send = (o) => process.stdout.write(JSON.stringify(o) + "\n");
const waiting = new Map();
let hooks = {};
let count = 0;

function ask(callback_id, { abortAfter, ...input }) {
  const request_id = `ask_${++count}`;
  send({ type: "control_request", request_id, request: { subtype: "hook_callback", callback_id, input, tool_use_id: input.tool_use_id } });
  if (abortAfter) setTimeout(() => send({ type: "control_cancel_request", request_id }), abortAfter);
  return new Promise((done) => {
    waiting.set(request_id, done);
    if (abortAfter) setTimeout(done, abortAfter + 1000, { subtype: "cancelled" }); // the SDK need not answer
  });
}

async function raise() {
  for (const input of events) {
    for (const g of hooks[input.hook_event_name] ?? []) {
      if (g.matcher && input.tool_name && !new RegExp(g.matcher).test(input.tool_name)) continue;
      for (const id of g.hookCallbackIds) {
        const answer = await ask(id, input);
        appendFileSync(process.env.STANDIN_OUT, JSON.stringify({ event: input.hook_event_name, matcher: g.matcher ?? null, timeout: g.timeout ?? null, answer }) + "\n");
      }
    }
  }
  send({ type: "result", subtype: "success", is_error: false, duration_ms: 1, duration_api_ms: 1, num_turns: 1, result: "done", session_id: "s1", total_cost_usd: 0, usage: {} });
  process.exit(0);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const m = JSON.parse(line);
  if (m.type === "control_response") {
    waiting.get(m.response.request_id)?.(m.response);
  } else if (m.type === "control_request") {
    if (m.request.subtype === "initialize") hooks = m.request.hooks ?? {};
    const response = { commands: [], agents: [], output_style: "default", available_output_styles: ["default"], models: [], account: {}, capabilities: [] };
    send({ type: "control_response", response: { subtype: "success", request_id: m.request_id, response } });
  } else if (m.type === "user") {
    raise();
  }
});
