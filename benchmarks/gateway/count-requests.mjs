// @ts-check
// Loaded into a Node process with --import. At the signal SIGUSR2 it writes two numbers for each kind of request into the file
// that KINDLING_COUNT_FILE names: how many requests the process has made as a client, and how many of them are open. It must
// not slow down the process that it measures.
import { subscribe } from "node:diagnostics_channel";
import { renameSync, writeFileSync } from "node:fs";
import { kindOfRequest } from "../harness/request-kinds.mjs";

/** @typedef {{ made: Record<string, number>, open: Record<string, number> }} RequestCounts by verb and resource */

const file = process.env["KINDLING_COUNT_FILE"] ?? "";
/** @type {RequestCounts} */
const { made, open } = { made: {}, open: {} };

subscribe("http.client.request.start", (message) => {
  const { request } = /** @type {{ request: import("node:http").ClientRequest }} */ (message);
  const { verb, resource, subresource } = kindOfRequest(request.method, request.path);
  const kind = `${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}`;
  made[kind] = (made[kind] ?? 0) + 1;
  open[kind] = (open[kind] ?? 0) + 1;
  request.once("close", () => (open[kind] = (open[kind] ?? 0) - 1));
});
process.on("SIGUSR2", () => {
  writeFileSync(`${file}.new`, JSON.stringify({ made, open }));
  renameSync(`${file}.new`, file);
});
