// @ts-check
// A crowd of hostile connections, in a separate process. Each connection is opened again when it is closed.
import { connect } from "node:net";
import { KINDS } from "./kinds.mjs";

const [text = "{}", count = "0", only = ""] = process.argv.slice(2);
/** @type {import("./kinds.mjs").Target} */
const target = JSON.parse(text);
const wanted = Number(count);
const kinds = KINDS.filter(({ name }) => name.startsWith(only));
const share = kinds.reduce((sum, { weight }) => sum + weight, 0);
/** @type {import("./kinds.mjs").CrowdCounts} */
const counts = { opened: 0, closed: 0, answers: {} };

for (const kind of kinds) {
  const count = Math.round((wanted * kind.weight) / share);
  for (let index = 0; index < count; index++) setTimeout(() => live(kind), Math.random() * 2000);
}

/**
 * One hostile connection, again and again.
 *
 * @param {import("./kinds.mjs").Kind} kind
 */
function live(kind) {
  counts.opened++;
  const socket = connect({ port: target.port, host: "127.0.0.1" });
  /** @type {Set<NodeJS.Timeout>} */
  const timers = new Set();
  /** @type {import("./kinds.mjs").Means} */
  const means = {
    ...target,
    write: (data) => socket.writable && socket.write(data),
    every: (ms, action) => timers.add(setInterval(action, ms)),
    onAnswer: (action) => socket.on("data", action),
    socket,
  };
  socket.on("error", () => undefined);
  socket.on("data", (data) => {
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(data.toString("latin1", 0, 16)) ?? [];
    if (status !== undefined) counts.answers[status] = (counts.answers[status] ?? 0) + 1;
  });
  socket.on("connect", () => void kind.act(means));
  socket.on("close", () => {
    counts.closed++;
    for (const timer of timers) clearInterval(timer);
    setTimeout(() => live(kind), 20 + Math.random() * 200);
  });
}

process.stdin.on("data", () => process.stdout.write(`${JSON.stringify(counts)}\n`));
