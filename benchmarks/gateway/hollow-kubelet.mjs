// Says of all pods of a namespace that they run, sixteen at a time, without running anything.
import {
  createKubeClient,
  createWorkQueue,
  isNotFound,
  loadClusterAccess,
  resources,
  startReflector,
} from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { serve } from "./calls.mjs";

const CONNECTIONS = 16;
const [kubeconfig, namespace] = process.argv.slice(2);
const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
const queue = createWorkQueue({ clock });
const addresses = new Map();

const reflector = startReflector(client, resources.pods, {
  namespace,
  clock,
  sink: {
    replace: (pods) => pods.forEach(enqueue),
    apply: ({ type, object }) => {
      if (type === "ADDED" || type === "MODIFIED") enqueue(object);
    },
  },
});

function enqueue({ metadata, status, spec }) {
  if (status?.phase !== undefined && status.phase !== "Pending") return;
  if (addresses.has(metadata.uid)) return;
  const number = addresses.size + 1;
  addresses.set(metadata.uid, true);
  queue.add({ name: metadata.name, number, containers: spec.containers });
}

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
  for (let pod = await queue.get(); pod !== undefined; pod = await queue.get()) {
    try {
      await client.request({
        method: "PATCH",
        path: `/api/v1/namespaces/${namespace}/pods/${pod.name}/status`,
        contentType: "application/merge-patch+json",
        body: { status: running(pod) },
      });
    } catch (error) {
      // Gone meanwhile, or the server was too busy to answer.
      if (!isNotFound(error)) queue.addRateLimited(pod);
    }
    queue.done(pod);
  }
}

for (let index = 0; index < CONNECTIONS; index++) void work();
serve({ ready: () => reflector.synced });
process.on("SIGTERM", () => process.exit(0));
