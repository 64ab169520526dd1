// @ts-check
import { loadavg } from "node:os";
import { judge } from "./harness/judge.mjs";
import { archiveRows } from "./recorder/archive.mjs";
import { endingRows, runningRows } from "./recorder/following.mjs";
import { heldRows } from "./recorder/held/held-deletions.mjs";
import { historyServerRows } from "./recorder/history-server.mjs";
import { logRows } from "./recorder/log-command.mjs";

const ONLY = process.env["KINDLING_BENCH_ONLY"];

/** @type {Readonly<Record<string, () => Promise<import("./harness/judge.mjs").Row[]>>>} */
const PARTS = {
  archive: archiveRows,
  "history-server": historyServerRows,
  running: runningRows,
  ending: endingRows,
  held: heldRows,
  logs: logRows,
};

/** The recorder with a large archive, beside Spark's history server, and with many applications. */
export async function recorder() {
  const rows = [];
  for (const [name, part] of Object.entries(PARTS))
    if (ONLY === undefined || ONLY === name) rows.push(...(await part()));
  return `${judge(rows)}\nLoad average ${(loadavg()[0] ?? 0).toFixed(1)} at the end.\n`;
}
