// @ts-check
import { resources, startReflector } from "@kindling/kube";
import { SPARK_ROLE_LABEL } from "@kindling/core-spec";
import { systemClock as clock } from "@kindling/outside";

/**
 * @typedef {object} SeenNodes
 * @property {() => number} made how many nodes there have been so far
 * @property {() => number} useless on how many of them no executor has run
 * @property {() => number} hours of all nodes together, up to now
 * @property {() => number} cpuHours of all their processors together
 * @property {() => number} executors how many run now
 * @property {() => Promise<void>} stop
 */

/**
 * Follows the nodes of a NodePool, and whether executors run on them.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {{ namespace: string, pool: string }} where
 * @returns {Promise<SeenNodes>}
 */
export async function followNodes(client, { namespace, pool }) {
  /** @type {Map<string, { cpus: number, from: number, to: number | undefined }>} */
  const lives = new Map();
  /** @type {Set<string>} */
  const used = new Set();
  /** @type {Set<string>} */
  const running = new Set();
  const nodes = startReflector(client, resources.nodes, {
    clock,
    labelSelector: `karpenter.sh/nodepool=${pool}`,
    keep: ({ metadata, status }) => ({ name: metadata?.name ?? "", cpus: Number(status?.capacity?.["cpu"] ?? 0) }),
    sink: {
      replace: (all) => all.forEach(comes),
      apply(event) {
        if (event.type === "DELETED") goes(event.object.name);
        else if (event.type !== "BOOKMARK") comes(event.object);
      },
    },
  });
  const pods = startReflector(client, resources.pods, {
    ...{ namespace, clock },
    labelSelector: `${SPARK_ROLE_LABEL}=executor`,
    keep: ({ metadata, spec, status }) => ({
      uid: metadata?.uid ?? "",
      node: spec?.nodeName,
      runs: status?.phase === "Running" && metadata?.deletionTimestamp === undefined,
    }),
    sink: {
      replace: (all) => all.forEach((pod) => look(pod)),
      apply(event) {
        if (event.type === "DELETED") running.delete(event.object.uid);
        else if (event.type !== "BOOKMARK") look(event.object);
      },
    },
  });

  /** @param {{ name: string, cpus: number }} node */
  function comes({ name, cpus }) {
    const known = lives.get(name);
    if (known === undefined) lives.set(name, { cpus, from: performance.now(), to: undefined });
    else known.cpus = cpus;
  }

  /** @param {string} name */
  function goes(name) {
    const life = lives.get(name);
    if (life !== undefined) life.to = performance.now();
  }

  /** @param {{ uid: string, node: string | undefined, runs: boolean }} pod */
  function look({ uid, node, runs }) {
    if (runs) running.add(uid);
    else running.delete(uid);
    if (runs && node !== undefined) used.add(node);
  }

  /** @param {(cpus: number) => number} weight */
  function hours(weight) {
    const now = performance.now();
    return (
      [...lives.values()].reduce((sum, { cpus, from, to = now }) => sum + weight(cpus) * (to - from), 0) / 3_600_000
    );
  }

  await Promise.all([nodes.synced, pods.synced]);
  return {
    made: () => lives.size,
    useless: () => [...lives.keys()].filter((name) => !used.has(name)).length,
    hours: () => hours(() => 1),
    cpuHours: () => hours((cpus) => cpus),
    executors: () => running.size,
    async stop() {
      await Promise.all([nodes.stop(), pods.stop()]);
    },
  };
}
