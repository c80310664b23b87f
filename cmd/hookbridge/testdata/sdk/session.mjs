// One session of the real Agent SDK with the hooks of a module, and the stand-in
// for its client: node session.mjs MODULE.
import { pathToFileURL } from "node:url";
import { query } from "@qoder-ai/qoder-agent-sdk";

const { hooks } = await import(pathToFileURL(process.argv[2]));
const session = query({
  prompt: "go on",
  options: { hooks, cwd: process.cwd(), pathToQoderCLIExecutable: process.env.STANDIN, auth: { type: "accessToken", accessToken: "none" } },
});
for await (const message of session) console.log(message.type, message.subtype ?? "");
process.exit(0);
