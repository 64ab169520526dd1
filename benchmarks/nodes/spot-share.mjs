// @ts-check
// Whether an application keeps its share of executors on spot nodes while executors come, are lost, and are given back.
import { resources, startReflector } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { SPARK_ROLE_LABEL } from "@kindling/core-spec";
import { Random } from "@kindling/test-kit/random";
import { inNamespace } from "../harness/api-server.mjs";
import { amount } from "../harness/environment.mjs";
import { withHollowNodes } from "../harness/hollow-nodes.mjs";
import { sleep } from "../harness/wait.mjs";
import { gatewayProcess } from "../gateway/gateway-process.mjs";
import { runDriver, submit } from "../gateway/shares/run-application.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */
/** @typedef {import("../gateway/driver.mjs").Driver} Driver */

const CHANGES = amount("KINDLING_BENCH_CHANGES", 1_000);
const SEED = amount("KINDLING_BENCH_SEED", 20_261_129);
const SHARE = 0.7;
const MOST_EXECUTORS = 60;
const CAPACITY_TYPE = "karpenter.sh/capacity-type";
const SPOT = { name: "bench-spot", labels: { [CAPACITY_TYPE]: "spot" } };
const ON_DEMAND = { name: "bench-on-demand", labels: { [CAPACITY_TYPE]: "on-demand" } };

/**
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function spotShare(server) {
  const { client, kubeconfig } = server;
  return await withHollowNodes(client, [SPOT, ON_DEMAND], () =>
    inNamespace(server, "bench-spot-share", async (namespace) => {
      const mix = await followMix(client, namespace);
      const place = await gatewayProcess({ kubeconfig, namespace, settings: ["--capacity", "nodes"] });
      const options = { client, namespace, isGated: true, minimum: 0, uri: place.uri, ca: place.ca };
      try {
        const spot = { share: SHARE, onDemand: ["driver"] };
        const application = await submit({ queue: "default", name: "app", done: 0 }, { ...options, spot });
        /** @type {Off} */
        const off = { arrivals: [], others: [] };
        await runDriver(application, { ...options, signal: new AbortController().signal }, (driver) =>
          change(driver, { client, namespace, mix, off }),
        );
        return rows(off);
      } finally {
        await place.stop();
        await mix.stop();
      }
    }),
  );
}

/**
 * By how many executors the mix is off, after arrivals together with what it was before, and after losses.
 *
 * @typedef {{ arrivals: { before: number, after: number }[], others: number[] }} Off
 */

/**
 * @param {Off} off
 * @returns {import("../harness/judge.mjs").Row[]}
 */
function rows({ arrivals, others }) {
  /** @type {(one: Off["arrivals"][number]) => boolean} */
  const isFar = ({ before, after }) => after > Math.max(1, before) + 1e-9;
  const far = arrivals.filter(isFar).length;
  const near = others.filter((one) => one <= 1).length;
  return [
    {
      what: `a share of ${SHARE} on spot nodes over ${CHANGES} random changes (seed ${SEED}): ${arrivals.length} times executors came`,
      found: `${far} times the mix was then off by more than one executor, and not nearer than before`,
      wanted: "never",
      holds: far === 0,
    },
    {
      what: `${others.length} times an executor was lost, or the driver gave some back`,
      found: `${near} times the mix was within one executor, and at most it was off by ${Math.max(...others).toFixed(1)}`,
    },
  ];
}

/**
 * @param {Driver} driver
 * @param {{ client: KubeClient, namespace: string, mix: Mix, off: Off }} parts
 */
async function change(driver, { client, namespace, mix, off }) {
  const random = new Random(SEED);
  for (let index = 0; index < CHANGES; index++) {
    const names = [...driver.phases.keys()];
    const before = mix.off();
    const count = 1 + random.below(4);
    if (names.length === 0 || (random.chance(0.45) && names.length + count <= MOST_EXECUTORS)) {
      await driver.batch(names.length + count);
      await settled(driver, mix, names.length + count);
      off.arrivals.push({ before, after: mix.off() });
      continue;
    }
    const isLoss = random.chance(0.5);
    const going = isLoss ? [random.pick(names)] : names.toSorted(() => random.fraction() - 0.5).slice(0, count);
    for (const name of going) {
      if (isLoss) await client.delete(resources.pods, name, { namespace, gracePeriodSeconds: 0 });
      else await driver.release(name);
    }
    await settled(driver, mix, names.length - going.length);
    off.others.push(mix.off());
  }
}

/**
 * @param {Driver} driver
 * @param {Mix} mix
 * @param {number} count
 */
async function settled(driver, mix, count) {
  while (driver.phases.size !== count || driver.running !== count || mix.size() !== count) await sleep(5);
}

/**
 * @typedef {object} Mix
 * @property {() => number} off by how many executors the spot nodes have too many or too few
 * @property {() => number} size
 * @property {() => Promise<void>} stop
 */

/**
 * Follows the kinds of nodes of all executors.
 *
 * @param {KubeClient} client
 * @param {string} namespace
 * @returns {Promise<Mix>}
 */
async function followMix(client, namespace) {
  /** @type {Map<string, boolean>} */
  const onSpot = new Map();
  const pods = startReflector(client, resources.pods, {
    ...{ namespace, clock },
    labelSelector: `${SPARK_ROLE_LABEL}=executor`,
    keep: ({ metadata, spec }) => ({ name: metadata?.name ?? "", node: spec?.nodeName }),
    sink: {
      replace: (all) => all.forEach(look),
      apply(event) {
        if (event.type === "DELETED") onSpot.delete(event.object.name);
        else if (event.type !== "BOOKMARK") look(event.object);
      },
    },
  });

  /** @param {{ name: string, node: string | undefined }} pod */
  function look({ name, node }) {
    if (node !== undefined) onSpot.set(name, node === SPOT.name);
  }

  await pods.synced;
  return {
    off: () => Math.abs([...onSpot.values()].filter(Boolean).length - SHARE * onSpot.size),
    size: () => onSpot.size,
    stop: () => pods.stop(),
  };
}
