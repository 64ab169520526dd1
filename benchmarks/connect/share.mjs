// @ts-check
// How much of a call, and of a large result, is the service's.
import { amount } from "../harness/environment.mjs";
import { median } from "../harness/figures.mjs";
import { atLeast, atMost } from "../harness/judge.mjs";
import { residentMemory } from "@kindling/test-kit/process-usage";
import { bareDriver } from "./bare-driver.mjs";
import { caller } from "./calls.mjs";
import { python } from "./python.mjs";
import { CONF, NAMESPACE, sparkProfile, untilNone, withService } from "./with-service.mjs";

const CALLS = 2000;
const TURNS = 5;
/** Each of the two drivers compiles its code in its first turns, and takes up to twice as long. */
const WARM_TURNS = 2;
const COLLECTED_MIB = amount("KINDLING_BENCH_MEBIBYTES", 1024);

/**
 * Calls and large results through the service, beside the same directly.
 *
 * @param {import("./with-service.mjs").Context} context
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function share(context) {
  const driver = await bareDriver(context.client, NAMESPACE, CONF);
  const direct = `sc://${driver.host}:${driver.port}`;
  try {
    return await withService(context, { profiles: sparkProfile() }, async ({ remote, caFile, port, token, pid }) => {
      await python("first_count.py", [direct]);
      await python("first_count.py", [remote], caFile);
      const one = await timeOfCalls(caller(`http://${driver.host}:${driver.port}`));
      const other = await timeOfCalls(caller(`https://localhost:${port}`, { caFile, token }));
      const speeds = [
        [direct, undefined],
        [remote, caFile],
      ].map(() => /** @type {number[]} */ ([]));
      for (let turn = 0; turn < WARM_TURNS + TURNS; turn += 1) {
        const straight = COLLECTED_MIB / Number(await python("collect.py", [direct, String(COLLECTED_MIB)]));
        const through = COLLECTED_MIB / Number(await python("collect.py", [remote, String(COLLECTED_MIB)], caFile));
        if (turn < WARM_TURNS) continue;
        speeds[0]?.push(straight);
        speeds[1]?.push(through);
      }
      const [straight, through] = speeds.map((found) => median(found));
      return [
        { what: `a call directly, median of ${CALLS}`, found: `${one.toFixed(2)} ms` },
        atMost("the share of kindling-connect of a call", Number((other - one).toFixed(2)), "ms", 2),
        {
          what: `${COLLECTED_MIB} MiB collected directly, median of ${TURNS}`,
          found: `${(straight ?? 0).toFixed(0)} MiB/s`,
        },
        atLeast(
          "the same through kindling-connect",
          Number(((100 * (through ?? 0)) / (straight ?? 1)).toFixed(0)),
          "%",
          90,
        ),
        { what: "memory of kindling-connect after that", found: `${Math.round(residentMemory(pid()))} MiB` },
      ];
    });
  } finally {
    await driver.remove();
    await untilNone(context.client);
  }
}

/** @param {ReturnType<typeof caller>} client @returns {Promise<number>} milliseconds */
async function timeOfCalls(client) {
  const found = [];
  for (let count = 0; count < CALLS + 200; count += 1) {
    const began = performance.now();
    const status = await client.call();
    if (status !== "0") throw new Error(`a call ended with ${status}`);
    if (count >= 200) found.push(performance.now() - began);
  }
  client.close();
  return median(found);
}
