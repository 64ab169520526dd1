// @ts-check
import { withApiServer } from "./harness/api-server.mjs";
import { judge } from "./harness/judge.mjs";
import { contention } from "./nodes/contention.mjs";
import { consolidated, day } from "./nodes/day.mjs";
import { fromZero } from "./nodes/from-zero.mjs";
import { spotShare } from "./nodes/spot-share.mjs";

const ONLY = process.env["KINDLING_BENCH_ONLY"];

/** @typedef {import("./harness/judge.mjs").Row} Row */

/** @type {Readonly<Record<string, (server: import("./harness/api-server.mjs").ApiServer) => Promise<Row[]>>>} */
const PARTS = { contention, "from-zero": fromZero, day, consolidated, "spot-share": spotShare };

/** What an autoscaler does for applications, with the gateway and without it. */
export async function nodes() {
  const parts = Object.entries(PARTS).filter(([name]) => ONLY === undefined || ONLY === name);
  return await withApiServer(async (server) => {
    const rows = [];
    for (const [, part] of parts) rows.push(...(await part(server)));
    return judge(rows);
  });
}
