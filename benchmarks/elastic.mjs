// @ts-check
import { chaos } from "./elastic/chaos.mjs";
import { keepers } from "./elastic/keepers.mjs";
import { heal } from "./elastic/memory/heal.mjs";
import { learn } from "./elastic/memory/learn.mjs";
import { serverRows } from "./elastic/server/server-rows.mjs";
import { stages } from "./elastic/stages.mjs";
import { withApiServer } from "./harness/api-server.mjs";
import { judge, leftOut } from "./harness/judge.mjs";

const SPARK_HOME = process.env["KINDLING_E2E_SPARK_HOME"];
const VERSIONS = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");
const ONLY = process.env["KINDLING_BENCH_ONLY"];

/** @typedef {import("./harness/judge.mjs").Row} Row */

/** @type {Readonly<Record<string, (server: import("./harness/api-server.mjs").ApiServer, folder: string) => Promise<Row[]>>>} */
const PARTS = { server, stages, keepers, heal, learn, chaos };

/**
 * The server of shuffle files, beside Spark's own service.
 *
 * @returns {Promise<Row[]>}
 */
async function server() {
  if (SPARK_HOME === undefined) return [leftOut("the server of shuffle files", "KINDLING_E2E_SPARK_HOME is not set")];
  return await serverRows(VERSIONS.map((version) => ({ version, home: SPARK_HOME.replaceAll("{version}", version) })));
}

/** What executors cost that leave their shuffle files behind. */
export async function elastic() {
  const parts = Object.entries(PARTS).filter(([name]) => ONLY === undefined || ONLY === name);
  return await withApiServer(async (server, folder) => {
    const rows = [];
    for (const [, part] of parts) rows.push(...(await part(server, folder)));
    return judge(rows);
  });
}
