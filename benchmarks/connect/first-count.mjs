// @ts-check
// From `remote()` to the first count, with and without a driver that waits.
import { amount } from "../harness/environment.mjs";
import { median } from "../harness/figures.mjs";
import { atMost } from "../harness/judge.mjs";
import { sleep } from "../harness/wait.mjs";
import { bareDriver } from "./bare-driver.mjs";
import { python } from "./python.mjs";
import { CONF, NAMESPACE, sparkProfile, untilNone, withService } from "./with-service.mjs";

/**
 * Without a driver that waits, beside a bare driver.
 *
 * @param {import("./with-service.mjs").Context} context
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function cold(context) {
  const [bare, through] = [[], []].map(() => /** @type {number[]} */ ([]));
  for (let turn = 0; turn < amount("KINDLING_BENCH_TURNS", 5); turn += 1) {
    const began = performance.now();
    const driver = await bareDriver(context.client, NAMESPACE, CONF);
    const ready = (performance.now() - began) / 1000;
    bare?.push(ready + Number(await python("first_count.py", [`sc://${driver.host}:${driver.port}`])));
    await driver.remove();
    await untilNone(context.client);
    await withService(context, { profiles: sparkProfile() }, async ({ remote, caFile }) => {
      through?.push(Number(await python("first_count.py", [remote], caFile)));
      return [];
    });
  }
  const [one, other] = [median(bare ?? []), median(through ?? [])];
  return [
    { what: "remote() to the first count, a bare driver of the same image", found: `${one.toFixed(2)} s` },
    atMost(
      "the same through kindling-connect, without a warm driver",
      Number(other.toFixed(2)),
      "s",
      Number((one + 0.3).toFixed(2)),
    ),
  ];
}

/** Clients of Spark 3.5 release no session, and the drivers of twenty sessions would fill the cluster. */
const WARM = "    sharing: session\n    warm: 1\n    idle: 5s\n";

/**
 * With a driver that waits.
 *
 * @param {import("./with-service.mjs").Context} context
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function warm(context) {
  return await withService(context, { profiles: sparkProfile(WARM) }, async ({ remote, caFile, warmed }) => {
    const found = [];
    for (let turn = 0; turn < amount("KINDLING_BENCH_TURNS", 20); turn += 1) {
      while (warmed() <= turn) await sleep(200);
      found.push(Number(await python("first_count.py", [remote], caFile)));
    }
    return [
      atMost(
        `remote() to the first count, warm, median of ${found.length}`,
        Number(median(found).toFixed(2)),
        "s",
        1.5,
      ),
    ];
  });
}
