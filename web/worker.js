"use strict";
// Runs the program beside the page, so that the page stays fluid. A message {id, args} is answered by {id, answer}.
let ready;

async function start(packed) {
  const program = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(
    new Response(program, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
  go.run(instance);
}

addEventListener("message", async ({ data }) => {
  if (data.program) {
    ready = start(data.program).then(() => postMessage({ id: 0 }), e => postMessage({ id: 0, error: String(e) }));
    return;
  }
  await ready;
  try {
    postMessage({ id: data.id, answer: hookbridge(...data.args) });
  } catch (e) { // the program has ended
    postMessage({ id: data.id, error: String(e) });
  }
});
