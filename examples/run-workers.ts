// Twenty plain worker pods, none of them Spark's. A worker that fails is made again, until all of the work is done.
import { DevCluster } from "@kindling/devcluster";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import {
  ExecutorPodsSnapshotsStore,
  kubeExecutorPods,
  KubernetesSchedulerBackend,
  type ExecutorResources,
  schedulerSettings,
  startExecutorPodsWatchSource,
} from "@kindling/scheduler";
import { sparkConf } from "@kindling/core-spec";

const cluster = await DevCluster.start();
const client = createKubeClient(await loadClusterAccess({ env: {}, overlays: { server: cluster.url } }));
const namespace = "default";
const applicationId = "workers";

/** Every seventh worker fails. */
function build(id: number): ExecutorResources {
  const labels = { "spark-app-selector": applicationId, "spark-role": "executor", "spark-exec-id": `${id}` };
  const script = { "run-for": "300ms", "exit-code": id % 7 === 0 ? "1" : "0" };
  const annotations = Object.fromEntries(
    Object.entries(script).map(([name, value]) => [`hollow.devcluster.kindling/${name}`, value]),
  );
  const containers = [{ name: "spark-kubernetes-executor", image: "busybox", command: ["work"] }];
  const pod = { metadata: { name: `worker-${id}`, labels, annotations }, spec: { restartPolicy: "Never", containers } };
  return { pod, claims: [] };
}

const conf = { "spark.kubernetes.allocation.batch.delay": "200ms", "spark.kubernetes.allocation.batch.size": "20" };
const { allocator, lifecycle } = schedulerSettings(sparkConf(conf, { sparkVersion: "4.1.1" }));
const store = new ExecutorPodsSnapshotsStore({ clock });
const source = startExecutorPodsWatchSource({ client, namespace, clock });
source.attach(applicationId, store);
const pods = kubeExecutorPods({ client, namespace, applicationId, build });
const backend = new KubernetesSchedulerBackend({ store, pods, allocator, lifecycle, clock, onError: console.error });
const finished = new Promise<void>((resolve) => {
  let left = 20;
  backend.onExecutorRemoved(({ id, exitCode }) => {
    if (exitCode === 0) left -= 1;
    else console.log(`worker ${id} failed with ${exitCode}, and is made again`);
    backend.requestTotalExecutors(new Map([[0, left]]));
    if (left === 0) resolve();
  });
});
backend.start();
backend.requestTotalExecutors(new Map([[0, 20]]));
await finished;
console.log("20 workers have done their work");
await backend.stop();
await source.stop();
client.close();
await cluster.stop();
