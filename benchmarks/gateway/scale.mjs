// @ts-check
// Many executors of many applications, through a gateway and with Spark's own allocators, at the same API server.
import { cpuSeconds, residentMemory } from "@kindling/test-kit/process-usage";
import { inNamespace, withApiServer } from "../harness/api-server.mjs";
import { amount } from "../harness/environment.mjs";
import { quantile, seconds } from "../harness/figures.mjs";
import { gatewayProcess } from "./gateway-process.mjs";
import { nativeAllocators } from "./native.mjs";
import { startDrivers, startKubelet } from "./programs.mjs";

const EXECUTORS = amount("KINDLING_BENCH_EXECUTORS", 10_000);
const APPLICATIONS = amount("KINDLING_BENCH_APPLICATIONS", 100);
const WATCHES = 2 * APPLICATIONS;
const EACH = EXECUTORS / APPLICATIONS;
const STEADY_SECONDS = amount("KINDLING_BENCH_STEADY_SECONDS", 60);
const CHANGES_PER_SECOND = 100;
const SPARK_HOME = process.env["KINDLING_E2E_SPARK_HOME"]?.replaceAll("{version}", "4.3.0");

/**
 * The cost of the executors.
 *
 * @typedef {object} Allocation
 * @property {number} seconds
 * @property {number} requests for one executor
 * @property {number} cpu seconds for one executor
 * @property {number} memory in MiB
 */

/** @typedef {import("./lateness.mjs").Late} Late */
/** @typedef {Awaited<ReturnType<typeof steadyState>>} Steady */

/** Rows about the scale that the issue of the gateway asks for. */
export async function scale() {
  return await withApiServer(async (server, folder) => {
    /** @param {string} way */
    const name = (way) => `kindling-benchmark-${way}-${process.pid}`;
    const native =
      SPARK_HOME === undefined
        ? undefined
        : await inNamespace(server, name("native"), (namespace) => byNative(server, SPARK_HOME, folder, namespace));
    const ours = await inNamespace(server, name("gateway"), (namespace) => byGateway(server, namespace));
    return rows(server, ours, native);
  });
}

/**
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {string} sparkHome
 * @param {string} folder
 * @param {string} namespace
 */
async function byNative(server, sparkHome, folder, namespace) {
  const kubelet = startKubelet(server.kubeconfig, namespace);
  const drivers = startDrivers(server.kubeconfig, namespace);
  try {
    await kubelet.call("ready");
    await drivers.call("prepare", APPLICATIONS, "native");
    const options = { sparkHome, folder, namespace, applications: APPLICATIONS, executors: EACH };
    const allocators = await nativeAllocators(server, options);
    try {
      return await measured(server, allocators.pid, () => allocators.allocate());
    } finally {
      await allocators.stop();
    }
  } finally {
    await drivers.stop();
    await kubelet.stop();
  }
}

/**
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {string} namespace
 */
async function byGateway(server, namespace) {
  const kubelet = startKubelet(server.kubeconfig, namespace);
  const drivers = startDrivers(server.kubeconfig, namespace);
  // The pods are hollow, so the capacity of nodes does not matter. One watch of pods is enough then.
  const settings = ["--capacity", "unlimited"];
  const gateway = await gatewayProcess({ kubeconfig: server.kubeconfig, namespace, settings });
  try {
    await kubelet.call("ready");
    await drivers.call("prepare", WATCHES);
    await drivers.call("begin", APPLICATIONS, gateway.uri, gateway.ca);
    const storm = await measured(server, gateway.pid, () => drivers.call("allocate", 0, APPLICATIONS, EACH));
    const lateness = await drivers.call("lateness");
    // The other drivers watch too, and have some executors too, so that something happens in each watch.
    await drivers.call("begin", WATCHES, gateway.uri, gateway.ca);
    await drivers.call("allocate", APPLICATIONS, WATCHES, 2);
    await drivers.call("lateness");
    return { storm: { ...storm, lateness }, steady: await steadyState(gateway, drivers) };
  } finally {
    await drivers.stop();
    await gateway.stop();
    await kubelet.stop();
  }
}

/**
 * No executors are requested any more, but their status changes all the time.
 *
 * @param {import("./gateway-process.mjs").GatewayProcess} gateway
 * @param {ReturnType<typeof startDrivers>} drivers
 */
async function steadyState(gateway, drivers) {
  const before = await gateway.requests();
  const cpu = cpuSeconds(gateway.pid);
  const took = await drivers.call("change", CHANGES_PER_SECOND, STEADY_SECONDS);
  const load = (cpuSeconds(gateway.pid) - cpu) / took;
  const after = await gateway.requests();
  const lateness = await drivers.call("lateness");
  const page = await (await fetch(new URL("metrics", gateway.adminUri))).text();
  return {
    load,
    lateness,
    lists: listsOf(after) - listsOf(before),
    upstream: after.open["WATCH pods"] ?? 0,
    watches: Number(/^gateway_watches (\d+)$/m.exec(page)?.[1]),
  };
}

/** @param {import("./gateway-process.mjs").RequestCounts} counts */
function listsOf({ made }) {
  const lists = Object.entries(made).filter(([kind]) => kind.startsWith("LIST "));
  return lists.reduce((sum, [, count]) => sum + count, 0);
}

/**
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {number} pid
 * @param {() => Promise<number>} run resolves with seconds
 * @returns {Promise<Allocation>}
 */
async function measured(server, pid, run) {
  const [requests, cpu] = [await server.requests(), cpuSeconds(pid)];
  const took = await run();
  return {
    seconds: took,
    requests: ((await server.requests()) - requests) / EXECUTORS,
    cpu: (cpuSeconds(pid) - cpu) / EXECUTORS,
    memory: residentMemory(pid),
  };
}

/**
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {{ storm: Allocation & { lateness: Late }, steady: Steady }} ours
 * @param {Allocation | undefined} native
 * @returns {import("../harness/judge.mjs").Row[]}
 */
function rows(server, { storm, steady }, native) {
  const many = `${EXECUTORS.toLocaleString("en")} executors of ${APPLICATIONS} applications`;
  const { lists, upstream } = steady;
  const p99 = quantile(steady.lateness.samples, 0.99);
  const stormed = storm.lateness.samples;
  return [
    ...(native === undefined
      ? [{ what: `${many}, by Spark's own allocators`, found: "not measured: KINDLING_E2E_SPARK_HOME is not set" }]
      : [
          { what: `${many} at ${server.name}, by Spark's own allocators`, found: seconds(native.seconds) },
          { what: "requests to the API server for one", found: native.requests.toFixed(2) },
          {
            what: `processor time and memory of the allocators (one JVM for all)`,
            found: `${(native.cpu * 1000).toFixed(1)} ms for one, ${Math.round(native.memory)} MiB`,
          },
        ]),
    {
      what: `${many} at ${server.name}, through one gateway`,
      found: seconds(storm.seconds),
      ...(native !== undefined && {
        wanted: `at most ${seconds(native.seconds)}`,
        holds: storm.seconds <= native.seconds,
      }),
    },
    {
      what: "requests to the API server for one",
      found: storm.requests.toFixed(2),
      ...(native !== undefined && {
        wanted: `at most ${native.requests.toFixed(2)}`,
        holds: storm.requests <= native.requests,
      }),
    },
    { what: "the gateway's processor time for one", found: `${(storm.cpu * 1000).toFixed(1)} ms` },
    { what: "the gateway's memory with all of them", found: `${Math.round(storm.memory)} MiB` },
    {
      what: "from an event of the API server to its driver meanwhile, half and 99 %",
      found: `${quantile(stormed, 0.5).toFixed(1)} ms, ${quantile(stormed, 0.99).toFixed(1)} ms`,
    },
    {
      what: "watches that drivers have open",
      found: String(steady.watches),
      wanted: String(WATCHES),
      holds: steady.watches === WATCHES,
    },
    {
      what: "watches of pods that the gateway has open in its one namespace",
      found: String(upstream),
      wanted: "1",
      holds: upstream === 1,
    },
    {
      what: `lists that it asked for in ${STEADY_SECONDS} s with ${CHANGES_PER_SECOND} changes a second`,
      found: String(lists),
      wanted: "0",
      holds: lists === 0,
    },
    {
      what: "from an event of the API server to its driver then, half and 99 %",
      found: `${quantile(steady.lateness.samples, 0.5).toFixed(1)} ms, ${p99.toFixed(1)} ms`,
      wanted: "99 % below 50 ms",
      holds: p99 < 50,
    },
    {
      what: "changes that did not reach their driver",
      found: String(steady.lateness.missing),
      wanted: "0",
      holds: steady.lateness.missing === 0,
    },
    { what: "the gateway's share of a processor then", found: `${(steady.load * 100).toFixed(0)} %` },
  ];
}
