// One gateway and hollow drivers on any API server: what does an autoscaler get to see?  Lies in benchmarks/gateway of a checkout.
// usage: lab-autoscale.mjs KUBECONFIG NAMESPACE SECONDS SETTINGS(JSON list of gateway flags) APPS(JSON: [{name,min,want,cpu,queue?}])
// Each app: driver pod of 1 CPU behind the gateway's gate; when it runs it asks for `want` executors of `cpu` CPUs.
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { driverToken } from "./driver-token.mjs";
import { Driver } from "./driver.mjs";
import { gatewayProcess } from "./gateway-process.mjs";

const [kubeconfig, namespace, seconds, settings, apps] = process.argv.slice(2);
const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
const tolerations = [{ key: "lab/spark", operator: "Exists" }];
const gateway = await gatewayProcess({ kubeconfig, namespace, settings: JSON.parse(settings) });
const t0 = Date.now();
const say = (...words) => console.log(((Date.now() - t0) / 1000).toFixed(1).padStart(6), ...words);

async function run({ name, min, want, cpu, queue, executor = {} }) {
  const requests = { cpu: "1", memory: "1Gi" };
  const pod = await client.create(resources.pods, {
    metadata: { name, labels: { "scheduler.kindling/gateway": "true", "spark-role": "driver", "spark-app-selector": `spark-${name}` },
      annotations: { "scheduler.kindling/min-executors": String(min), ...(queue && { "scheduler.kindling/queue": queue }) } },
    spec: { restartPolicy: "Never", serviceAccountName: "spark", automountServiceAccountToken: false, tolerations,
      schedulingGates: [{ name: "scheduler.kindling/admission" }],
      containers: [{ name: "spark-kubernetes-driver", image: "spark", resources: { requests } }] } }, { namespace });
  for (;;) {
    const { status } = await client.request({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods/${name}` });
    if (status.phase === "Running") break;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  say(name, "driver runs");
  const { uid } = pod.metadata;
  const spec = { tolerations, containers: [{ name: "spark-kubernetes-executor", image: "spark", resources: { requests: { cpu: String(cpu), memory: "1Gi" } } }], ...executor };
  const driver = new Driver({ name, uid, namespace, uri: gateway.uri, ca: gateway.ca, token: await driverToken(client, { name, namespace, uid }), onEvent: () => undefined, executor: spec });
  await driver.begin();
  void driver.allocate(want).then(() => say(name, `all ${want} executors run`));
}
for (const app of JSON.parse(apps)) { void run(app).catch((error) => say(app.name, String(error).slice(0, 300))); await new Promise((r) => setTimeout(r, 300)); }

/** Plays kubelet for pods that are bound to a node (without kwok). */
async function hollow({ metadata, spec, status }) {
  const path = `/api/v1/namespaces/${namespace}/pods/${metadata.name}`;
  if (metadata.deletionTimestamp) return void client.request({ method: "DELETE", path, body: { gracePeriodSeconds: 0 } }).catch(() => undefined);
  if (!spec.nodeName || status.phase !== "Pending") return;
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  await client.request({ method: "PATCH", path: `${path}/status`, contentType: "application/merge-patch+json", body: { status: { phase: "Running", podIP: "10.9.0.9",
    conditions: ["PodScheduled", "Initialized", "Ready", "ContainersReady"].map((type) => ({ type, status: "True", lastTransitionTime: now })),
    containerStatuses: spec.containers.map(({ name, image }) => ({ name, image, imageID: "", ready: true, started: true, restartCount: 0, state: { running: { startedAt: now } } })) } } });
}

let last = "";
const end = Date.now() + Number(seconds) * 1000;
while (Date.now() < end) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const o = await (await fetch(new URL("/api/overview", gateway.adminUri))).json().catch(() => undefined);
  const { items } = await client.request({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods` });
  if (process.env.HOLLOW) for (const pod of items) await hollow(pod);
  const inCluster = { gated: 0, Pending: 0, Running: 0, other: 0 };
  for (const { spec, status } of items) inCluster[spec.schedulingGates ? "gated" : status.phase in inCluster ? status.phase : "other"]++;
  const nodes = (await client.request({ method: "GET", path: "/api/v1/nodes" })).items.length;
  const line = JSON.stringify({ nodes, inCluster, cap: o?.capacity?.total?.cpu, used: o?.capacity?.used?.cpu,
    apps: o?.applications?.map(({ driver, state, executors, waits }) => `${driver} ${state} ${JSON.stringify(executors)} ${waits}`) });
  if (line !== last) say((last = line));
}
process.on("uncaughtException", () => undefined);
await gateway.stop();
process.exit(0);
