// @ts-check
import { stages } from "./elastic/stages.mjs";
import { withApiServer } from "./harness/api-server.mjs";
import { judge } from "./harness/judge.mjs";

const ONLY = process.env["KINDLING_BENCH_ONLY"];

/** @typedef {import("./harness/judge.mjs").Row} Row */

/** @type {Readonly<Record<string, (server: import("./harness/api-server.mjs").ApiServer, folder: string) => Promise<Row[]>>>} */
const PARTS = { stages };

/** What executors cost that leave their shuffle files behind. */
export async function elastic() {
  const parts = Object.entries(PARTS).filter(([name]) => ONLY === undefined || ONLY === name);
  return await withApiServer(async (server, folder) => {
    const rows = [];
    for (const [, part] of parts) rows.push(...(await part(server, folder)));
    return judge(rows);
  });
}
