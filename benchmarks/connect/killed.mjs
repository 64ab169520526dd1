// @ts-check
import { amount } from "../harness/environment.mjs";
import { atMost } from "../harness/judge.mjs";
import { sleep } from "../harness/wait.mjs";
import { python } from "./python.mjs";
import { sparkProfile, withService } from "./with-service.mjs";

const SECONDS = amount("KINDLING_BENCH_SECONDS", 1800);
const KILL_EVERY_MS = 60_000;

/**
 * Queries while the service is killed each minute.
 *
 * @param {import("./with-service.mjs").Context} context
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function killed(context) {
  return await withService(context, { profiles: sparkProfile() }, async (service) => {
    const { remote, caFile } = service;
    await python("first_count.py", [remote], caFile);
    const over = new AbortController();
    let kills = 0;
    const killing = (async () => {
      for (;;) {
        await sleep(KILL_EVERY_MS);
        if (over.signal.aborted) return;
        await service.stop("SIGKILL");
        await service.start();
        kills += 1;
      }
    })();
    /** @type {{ right: number, wrong: number, lost: number, faults: string[] }} */
    const found = JSON.parse(await python("queries.py", [remote, "20", String(SECONDS)], caFile));
    over.abort();
    await killing;
    for (const fault of found.faults) process.stderr.write(`${fault}\n`);
    return [
      { what: `queries of 20 sessions, while kindling-connect was killed ${kills} times`, found: String(found.right) },
      atMost("wrong results", found.wrong, "", 0),
      atMost("lost queries", found.lost, "", 0),
    ];
  });
}
