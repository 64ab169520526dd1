// @ts-check
import { fileURLToPath } from "node:url";
import { startTelling } from "./harness/processes.mjs";
import { startStub } from "./harness/stub.mjs";
import { table } from "./harness/table.mjs";

const WORKER = fileURLToPath(new URL("library-worker.mjs", import.meta.url));
const SUBMISSIONS = 20_000;

/** Submissions per second of the library on one core, and its memory over many submissions. */
export async function library() {
  const stub = await startStub();
  const worker = startTelling(WORKER, [stub.address, String(SUBMISSIONS)], ["--expose-gc"]);
  try {
    /** @type {import("./library-worker.mjs").Told} */
    const { perSecond, perCpuSecond, memory } = JSON.parse(await worker.line());
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
  } finally {
    await worker.stop();
    await stub.stop();
  }
}
