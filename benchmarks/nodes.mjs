// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiServer } from "./harness/api-server.mjs";
import { judge } from "./harness/judge.mjs";
import { contention } from "./nodes/contention.mjs";
import { day } from "./nodes/day.mjs";
import { fromZero } from "./nodes/from-zero.mjs";
import { spotShare } from "./nodes/spot-share.mjs";

/** What an autoscaler does for applications, with the gateway and without it. */
export async function nodes() {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-"));
  const server = await apiServer(folder);
  try {
    return judge([
      ...(await contention(server)),
      ...(await fromZero(server)),
      ...(await day(server)),
      ...(await spotShare(server)),
    ]);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
