// @ts-check
// Sessions of real servers of Spark Connect through kindling-connect, beside a server that is reached directly.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { attacks } from "./connect/attacks.mjs";
import { cold, warm } from "./connect/first-count.mjs";
import { idle } from "./connect/idle.mjs";
import { killed } from "./connect/killed.mjs";
import { sail } from "./connect/sail.mjs";
import { share } from "./connect/share.mjs";
import { judge } from "./harness/judge.mjs";

const ONLY = process.env["KINDLING_BENCH_ONLY"]?.split(",");
const PARTS = { cold, warm, sail, share, idle, killed, attacks };

/** Measures all parts, or those that `KINDLING_BENCH_ONLY` names. */
export async function connectSessions() {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-"));
  const access = await loadClusterAccess({ env: process.env });
  const client = createKubeClient(access, { userAgent: "kindling-benchmark" });
  try {
    const rows = [];
    for (const [name, part] of Object.entries(PARTS)) {
      if (ONLY !== undefined && !ONLY.some((one) => one === name)) continue;
      const found = await part({ client, folder });
      // A later part may fail after an hour.
      for (const { what, found: figure } of found) process.stderr.write(`${what}: ${figure}\n`);
      rows.push(...found);
    }
    return judge(rows);
  } finally {
    client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
