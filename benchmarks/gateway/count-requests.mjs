// @ts-check
// Loaded into a Node process with --import. At the signal SIGUSR2 it writes three numbers for each kind of request into the file
// that KINDLING_COUNT_FILE names: how many requests the process has made as a client, how many of them are open, and how many
// were open at most. It must not slow down the process that it measures.
import { subscribe } from "node:diagnostics_channel";
import { renameSync, writeFileSync } from "node:fs";
import { kindOfRequest } from "../harness/request-kinds.mjs";

/** @typedef {Record<"made" | "open" | "most", Record<string, number>>} RequestCounts by verb and resource */

const file = process.env["KINDLING_COUNT_FILE"] ?? "";
/** @type {RequestCounts} */
const { made, open, most } = { made: {}, open: {}, most: {} };

subscribe("http.client.request.start", (message) => {
  const { request } = /** @type {{ request: import("node:http").ClientRequest }} */ (message);
  const { verb, resource, subresource } = kindOfRequest(request.method, request.path);
  const isFollowing = subresource === "log" && request.path.includes("follow=true");
  const kind = `${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}${isFollowing ? ", following" : ""}`;
  made[kind] = (made[kind] ?? 0) + 1;
  open[kind] = (open[kind] ?? 0) + 1;
  most[kind] = Math.max(most[kind] ?? 0, open[kind]);
  request.once("close", () => (open[kind] = (open[kind] ?? 0) - 1));
});
process.on("SIGUSR2", () => {
  writeFileSync(`${file}.new`, JSON.stringify({ made, open, most }));
  renameSync(`${file}.new`, file);
});
