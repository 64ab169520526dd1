// A crowd of hostile connections, in a process of its own. Each of them begins anew whenever it is closed.
import { connect } from "node:net";
import { KINDS } from "./kinds.mjs";

const target = JSON.parse(process.argv[2]);
const wanted = Number(process.argv[3]);
const only = process.argv[4] ?? "";
const kinds = KINDS.filter(({ name }) => name.startsWith(only));
const share = kinds.reduce((sum, { weight }) => sum + weight, 0);
const counts = { opened: 0, closed: 0, answers: {} };

for (const kind of kinds) {
  const count = Math.round((wanted * kind.weight) / share);
  for (let index = 0; index < count; index++) setTimeout(() => live(kind), Math.random() * 2000);
}

/** One hostile connection, again and again. */
function live(kind) {
  counts.opened++;
  const socket = connect({ port: target.port, host: "127.0.0.1" });
  const timers = new Set();
  const tools = {
    ...target,
    write: (text) => socket.writable && socket.write(text),
    every(ms, action) {
      timers.add(setInterval(() => action(), ms));
    },
    pause: () => socket.pause(),
    onAnswer: (action) => socket.on("data", action),
    close: () => socket.destroy(),
    socket,
  };
  socket.on("error", () => undefined);
  socket.on("data", (data) => {
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(data.latin1Slice(0, 16)) ?? [];
    if (status !== undefined) counts.answers[status] = (counts.answers[status] ?? 0) + 1;
  });
  socket.on("connect", () => kind.act(tools));
  socket.on("close", () => {
    counts.closed++;
    for (const timer of timers) clearInterval(timer);
    setTimeout(() => live(kind), 20 + Math.random() * 200);
  });
}

process.stdin.on("data", () => process.stdout.write(`${JSON.stringify(counts)}\n`));
