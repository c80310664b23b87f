  pi.on("session_stop", async (_, ctx) => {
    const a = await ask("Stop", ctx, { stop_hook_active: stops > 0, last_assistant_message: said })
    if (!a.reason || a.stop) return void (stops = 0)
    if (++stops > STOPS) return show(ctx, `Stop: hooks continued the turn ${STOPS} times; it ends now`, "warning")
    return { decision: "block", reason: a.reason }
  })
}
