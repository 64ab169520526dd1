// @ts-check
// Reports all pods of a namespace as running, sixteen at a time. It does not run anything.
import { createWorkQueue } from "@kindling/controller";
import { createKubeClient, isNotFound, loadClusterAccess, resources, startReflector } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { serve } from "../harness/calls.mjs";

/** @typedef {{ ready: () => Promise<void> }} HollowKubelet */
/**
 * @typedef {{ number: number, containers: readonly { name: string, image?: string }[] }} Waiting a pod that is to be reported
 * as running
 */

const CONNECTIONS = 16;
const AGAIN_MS = 200;
const [kubeconfig = "", namespace = ""] = process.argv.slice(2);
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
function enqueue({ metadata: { name = "", uid = "" } = {}, status, spec }) {
  if (status?.phase !== undefined && status.phase !== "Pending") return;
  if (seen.has(uid)) return;
  seen.add(uid);
  waiting.set(name, { number: seen.size, containers: spec?.containers ?? [] });
  queue.add(name);
}

/** @param {Waiting} pod */
function running({ number, containers }) {
  const now = new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const podIP = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  const conditions = ["Initialized", "Ready", "ContainersReady", "PodScheduled"];
  return {
    phase: "Running",
    startTime: now,
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: conditions.map((type) => ({ type, status: "True", lastTransitionTime: now })),
    containerStatuses: containers.map(({ name, image }) => ({
      name,
      image,
      imageID: "",
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: now } },
    })),
  };
}

async function work() {
  for (let name = await queue.get(); name !== undefined; name = await queue.get()) {
    const pod = waiting.get(name);
    try {
      if (pod !== undefined) await tell(name, pod);
      waiting.delete(name);
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
  await client.request({
    method: "PATCH",
    path: `/api/v1/namespaces/${namespace}/pods/${name}/status`,
    contentType: "application/merge-patch+json",
    body: { status: running(pod) },
  });
}

for (let index = 0; index < CONNECTIONS; index++) void work();
serve({ ready: () => reflector.synced });
process.on("SIGTERM", () => process.exit(0));
