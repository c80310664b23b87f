  pi.on("agent_before_settle", async ({ outcome, entries }, ctx) => {
    if (outcome !== "completed") return
    const a = await ask("Stop", ctx, { stop_hook_active: stops > 0, last_assistant_message: said })
    if (!a.reason || a.stop) return void (stops = 0)
    if (++stops > STOPS) return show(ctx, `Stop: hooks continued the turn ${STOPS} times; it ends now`, "warning")
    return { entries: [...entries, { type: "custom_message", ...note(a.reason) }], continue: true }
  })
}
