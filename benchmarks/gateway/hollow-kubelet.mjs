// @ts-check
// Reports all pods of a namespace as running, sixteen at a time. It does not run anything. If it has a node, executors are on this
// node, and Spark's container of an executor ends when the executor is to leave its shuffle files behind.
import { createWorkQueue } from "@kindling/controller";
import { KEEPER_LABEL, KEEPER_LEAVING, SHUFFLE_CONTAINER } from "@kindling/core-spec";
import { createKubeClient, isConflict, isNotFound, loadClusterAccess, resources, startReflector } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { serve } from "../harness/calls.mjs";

/** @typedef {{ ready: () => Promise<void> }} HollowKubelet */
/**
 * A pod that is to be reported as running.
 *
 * @typedef {object} Waiting
 * @property {number} number
 * @property {readonly { name: string, image?: string, resources?: object }[]} containers
 * @property {boolean} isUnbound whether it has to get its node
 * @property {boolean} isLeaving whether its executor has ended
 */

const CONNECTIONS = 16;
const AGAIN_MS = 200;
const [kubeconfig = "", namespace = "", node = ""] = process.argv.slice(2);
const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
/** Names of pods. */
const queue = createWorkQueue(clock);
/** @type {Map<string, Waiting>} */
const waiting = new Map();
/** @type {Set<string>} */
const seen = new Set();

const reflector = startReflector(client, resources.pods, {
  namespace,
  clock,
  sink: {
    replace: (pods) => pods.forEach(enqueue),
    apply(event) {
      if (event.type === "ADDED" || event.type === "MODIFIED") enqueue(event.object);
    },
  },
});

/** @param {import("kubernetes-types/core/v1.js").Pod} pod */
function enqueue({ metadata: { name = "", uid = "", labels, deletionTimestamp } = {}, status, spec }) {
  if (deletionTimestamp !== undefined) return void (spec?.nodeName === undefined || finish(name));
  const isLeaving = labels?.[KEEPER_LABEL] === KEEPER_LEAVING;
  if (status?.phase !== undefined && status.phase !== "Pending" && !isLeaving) return;
  const key = isLeaving ? `${uid} leaving` : uid;
  if (seen.has(key)) return;
  seen.add(key);
  const isUnbound = node !== "" && spec?.nodeName === undefined && labels?.["spark-role"] === "executor";
  waiting.set(name, { number: seen.size, containers: spec?.containers ?? [], isUnbound, isLeaving });
  queue.add(name);
}

/**
 * Lets a pod go that is being deleted. If it is gone already, all is well.
 *
 * @param {string} name
 */
function finish(name) {
  client.delete(resources.pods, name, { namespace, gracePeriodSeconds: 0 }).catch(() => undefined);
}

/** @param {Waiting} pod */
function running({ number, containers, isLeaving }) {
  const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const podIP = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  const conditions = ["Initialized", "Ready", "ContainersReady", "PodScheduled"];
  return {
    phase: "Running",
    startTime: now,
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: conditions.map((type) => ({ type, status: "True", lastTransitionTime: now })),
    containerStatuses: containers.map(({ name, image, resources = {} }) => {
      const hasEnded = isLeaving && name !== SHUFFLE_CONTAINER;
      const ended = { exitCode: 143, reason: "Error", startedAt: now, finishedAt: now };
      const state = hasEnded ? { terminated: ended } : { running: { startedAt: now } };
      // By the resources, the API server sees that this kubelet can resize pods.
      return { name, image, imageID: "", ready: !hasEnded, started: !hasEnded, restartCount: 0, state, resources };
    }),
  };
}

async function work() {
  for (let name = await queue.get(); name !== undefined; name = await queue.get()) {
    const pod = waiting.get(name);
    try {
      if (pod !== undefined) await tell(name, pod);
      if (waiting.get(name) === pod) waiting.delete(name);
    } catch (error) {
      // The pod is gone in the meantime, or the server was too busy to answer.
      if (!isNotFound(error)) queue.addAfter(name, AGAIN_MS);
    }
    queue.done(name);
  }
}

/**
 * @param {string} name
 * @param {Waiting} pod
 */
async function tell(name, pod) {
  if (pod.isUnbound) await bind(name);
  await client.request({
    method: "PATCH",
    path: `/api/v1/namespaces/${namespace}/pods/${name}/status`,
    contentType: "application/merge-patch+json",
    body: { status: running(pod) },
  });
}

/** @param {string} name */
async function bind(name) {
  const target = { kind: "Node", name: node };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/binding`;
  try {
    await client.request({ method: "POST", path, body: { metadata: { name }, target } });
  } catch (error) {
    // It has its node already: only the report failed.
    if (!isConflict(error)) throw error;
  }
}

for (let index = 0; index < CONNECTIONS; index++) void work();
serve({ ready: () => reflector.synced });
process.on("SIGTERM", () => process.exit(0));
