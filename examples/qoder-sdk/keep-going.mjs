// Sends the agent back to work once, if it stops while its list has open points.
async function goOn(input) {
  if (input.stop_hook_active || !/\[ \]|\bTODO\b/.test(input.last_assistant_message ?? "")) return {};
  return { decision: "block", reason: "There are open points in your list: finish them, or say why not." };
}

export const hooks = { Stop: [{ hooks: [goOn] }] };
