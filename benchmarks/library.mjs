import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startStub, table } from "./measure.mjs";

/** Submissions a second of the library on one core, and its memory over many. */
export async function library() {
  const stub = await startStub();
  const worker = fileURLToPath(new URL("library-worker.mjs", import.meta.url));
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const ran = spawnSync(process.execPath, ["--expose-gc", worker, stub.address, "20000"], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  stub.stop();
  if (ran.status !== 0) throw new Error("the library's worker failed");
  const { perSecond, perCpuSecond, memory } = JSON.parse(ran.stdout);
  return table([
    ["measured", "found", "wanted"],
    ["submissions a second, wall", perSecond.toFixed(0), "at least 200"],
    ["submissions a second of CPU", perCpuSecond.toFixed(0), ""],
    ...memory.map(({ after, heap, rss }) => [
      `memory after ${after}`,
      `${heap.toFixed(0)} MiB heap, ${rss.toFixed(0)} MiB resident`,
      "flat",
    ]),
  ]);
}
