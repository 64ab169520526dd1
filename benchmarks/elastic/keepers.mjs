// @ts-check
// Pods of ended executors that stay for their shuffle files, beside the same executors while they ran.
import { SHUFFLE_CONTAINER } from "@kindling/core-spec";
import { cpuSeconds, residentMemory } from "@kindling/test-kit/process-usage";
import { gatewayProcess } from "../gateway/gateway-process.mjs";
import { startDrivers, startKubelet } from "../gateway/programs.mjs";
import { inNamespace } from "../harness/api-server.mjs";
import { amount } from "../harness/environment.mjs";
import { quantile, seconds } from "../harness/figures.mjs";
import { withHeartbeats } from "../harness/heartbeats.mjs";
import { atMost } from "../harness/judge.mjs";
import { sleep } from "../harness/wait.mjs";

/** @typedef {import("../harness/judge.mjs").Row} Row */
/** @typedef {import("../harness/api-server.mjs").ApiServer} ApiServer */

const KEEPERS = amount("KINDLING_BENCH_KEEPERS", 10_000);
const APPLICATIONS = amount("KINDLING_BENCH_APPLICATIONS", 100);
/** Applications whose executors stay, and change their status all the time. */
const OTHERS = 20;
const OF_OTHERS = 10;
const STEADY_SECONDS = amount("KINDLING_BENCH_STEADY_SECONDS", 60);
const CHANGES_PER_SECOND = 100;
/** A gateway that has just been started still lists. */
const WARM_UP_SECONDS = 10;
/** Kubernetes' clocks and ours differ by chance: below this, a difference between two latencies says nothing. */
const NOISE_MS = 0.5;
const AMOUNTS = { cpu: "20m", memory: "96Mi" };
const SERVER = {
  name: SHUFFLE_CONTAINER,
  image: "localizer",
  resources: { requests: AMOUNTS, limits: { memory: AMOUNTS.memory } },
};

/** @typedef {{ memory: number, half: number, most: number, missing: number, load: number }} Steady */

/**
 * @param {ApiServer} server
 * @returns {Promise<Row[]>}
 */
export async function keepers(server) {
  const node = `kindling-benchmark-${process.pid}`;
  const named = `kindling-benchmark-keepers-${process.pid}`;
  // It also lets the pods go at the end, when the namespace is deleted.
  const kubelet = startKubelet(server.kubeconfig, named, node);
  try {
    await kubelet.call("ready");
    return await withHeartbeats(server.client, node, () =>
      inNamespace(server, named, (namespace) => inThisNamespace(server, namespace)),
    );
  } finally {
    await kubelet.stop();
  }
}

/**
 * @param {ApiServer} server
 * @param {string} namespace
 * @returns {Promise<Row[]>}
 */
async function inThisNamespace({ kubeconfig }, namespace) {
  const drivers = startDrivers(kubeconfig, namespace);
  const gateway = await gatewayProcess({ kubeconfig, namespace, settings: ["--capacity", "unlimited"] });
  try {
    await drivers.call("prepare", APPLICATIONS + OTHERS);
    await drivers.call("begin", APPLICATIONS, gateway.uri, gateway.ca, [SERVER]);
    await drivers.call("allocate", 0, APPLICATIONS, KEEPERS / APPLICATIONS);
    await drivers.call("begin", APPLICATIONS + OTHERS, gateway.uri, gateway.ca);
    await drivers.call("allocate", APPLICATIONS, APPLICATIONS + OTHERS, OF_OTHERS);
    const before = await steady(gateway, drivers);
    const tookToGo = await drivers.call("letGo", 0, APPLICATIONS);
    const tookToShrink = await untilShrunk(gateway);
    const after = await steady(gateway, drivers);
    return rows(before, after, { tookToGo, tookToShrink });
  } finally {
    await drivers.stop();
    await gateway.stop();
  }
}

/**
 * A gateway that has just been started, so that what was before does not count.
 *
 * @param {import("../gateway/gateway-process.mjs").GatewayProcess} gateway
 * @param {ReturnType<typeof startDrivers>} drivers
 * @returns {Promise<Steady>}
 */
async function steady(gateway, drivers) {
  await gateway.kill();
  await gateway.start();
  await drivers.call("watchAgain");
  await drivers.call("change", CHANGES_PER_SECOND, WARM_UP_SECONDS, APPLICATIONS);
  await drivers.call("lateness");
  const cpu = cpuSeconds(gateway.pid);
  const took = await drivers.call("change", CHANGES_PER_SECOND, STEADY_SECONDS, APPLICATIONS);
  const load = (cpuSeconds(gateway.pid) - cpu) / took;
  const { samples, missing } = await drivers.call("lateness");
  const memory = residentMemory(gateway.pid);
  return { memory, half: quantile(samples, 0.5), most: quantile(samples, 0.99), missing, load };
}

/**
 * Seconds until the gateway has given the room of all ended executors back.
 *
 * @param {import("../gateway/gateway-process.mjs").GatewayProcess} gateway
 */
async function untilShrunk(gateway) {
  const began = performance.now();
  for (;;) {
    const page = await (await fetch(new URL("metrics", gateway.adminUri))).text();
    const shrunk = /^gateway_keepers_total\{outcome="shrunk"\} (\d+)$/m.exec(page)?.[1];
    if (Number(shrunk ?? 0) >= KEEPERS) return (performance.now() - began) / 1000;
    await sleep(250);
  }
}

/**
 * @param {Steady} before
 * @param {Steady} after
 * @param {{ tookToGo: number, tookToShrink: number }} took
 * @returns {Row[]}
 */
function rows(before, after, { tookToGo, tookToShrink }) {
  const title = `${KEEPERS.toLocaleString("en")} keepers of ${APPLICATIONS} applications`;
  /** @param {keyof Steady} what @param {string} unit */
  const both = (what, unit) => `${before[what].toFixed(1)} ${unit}, ${after[what].toFixed(1)} ${unit}`;
  /** @param {"half" | "most"} what */
  const ratio = (what) => (after[what] - before[what] < NOISE_MS ? 1 : after[what] / before[what]);
  return [
    { what: `${title}: until all executors were gone for their drivers`, found: seconds(tookToGo) },
    { what: `${title}: until the room of all was given back, after that`, found: seconds(tookToShrink) },
    { what: `${title}: memory of the gateway, as executors and as keepers`, found: both("memory", "MiB") },
    atMost(`${title}: the same, as a ratio`, after.memory / before.memory, "×", 1.1),
    { what: `${title}: from an event to its driver, half: as executors and as keepers`, found: both("half", "ms") },
    atMost(`${title}: the same, as a ratio`, ratio("half"), "×", 1.1),
    { what: `${title}: from an event to its driver, 99 %: as executors and as keepers`, found: both("most", "ms") },
    { what: `${title}: changes that did not reach their driver`, found: String(before.missing + after.missing) },
    {
      what: `${title}: the gateway's share of a processor, as executors and as keepers`,
      found: `${(before.load * 100).toFixed(0)} %, ${(after.load * 100).toFixed(0)} %`,
    },
  ];
}
