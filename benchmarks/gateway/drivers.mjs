// Many drivers in one process, each with a pod, a token that is bound to it, and a watch. What the API server says of
// executors is watched as well, without a gateway: what a driver sees later than that is how late the gateway is.
import { createKubeClient, loadClusterAccess, resources, startReflector } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { serve } from "./calls.mjs";
import { driverToken } from "./driver-token.mjs";
import { Driver } from "./driver.mjs";
import { driverPod, NOWHERE } from "./driver-pods.mjs";
import { Lateness } from "./lateness.mjs";

const [kubeconfig, namespace] = process.argv.slice(2);
const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
const lateness = new Lateness();
const pods = [];
const drivers = [];

/** Makes the pods of drivers, one after the other. */
async function prepare(count, prefix = "drv") {
  for (let index = pods.length; index < count; index++)
    pods.push(await driverPod(client, namespace, `${prefix}-${index}`));
}

/** Lets the drivers begin that have not yet, up to so many, against a gateway. */
async function begin(count, uri, ca) {
  for (const pod of pods.slice(drivers.length, count)) {
    const { name, uid } = pod.metadata;
    const token = await driverToken(client, pod);
    const onEvent = (event) => lateness.driver(event);
    const driver = new Driver({ name, uid, namespace, uri, ca, token, onEvent, executor: NOWHERE });
    await driver.begin();
    drivers.push(driver);
  }
}

/** Seconds until each of some drivers has seen so many more executors run. */
async function allocate(from, to, each) {
  const started = performance.now();
  await Promise.all(drivers.slice(from, to).map((driver) => driver.allocate(each)));
  return (performance.now() - started) / 1000;
}

/** Changes the status of executors, one driver's after the other's, so many in a second for so long. */
async function change(rate, seconds) {
  const lists = drivers.map(({ phases }) => [...phases.keys()]);
  const started = performance.now();
  const under = new Set();
  for (let index = 0; index < rate * seconds; index++) {
    const wait = started + (index * 1000) / rate - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const names = lists[index % lists.length];
    const name = names[Math.floor(index / lists.length) % names.length];
    const one = client.request({
      method: "PATCH",
      path: `/api/v1/namespaces/${namespace}/pods/${name}/status`,
      contentType: "application/merge-patch+json",
      body: { status: { message: `change ${index}` } },
    });
    under.add(one);
    void one.finally(() => under.delete(one));
  }
  await Promise.all(under);
  // The last are on their way.
  for (let wait = 0; wait < 10_000 && lateness.underWay > 0; wait += 100) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return (performance.now() - started) / 1000;
}

startReflector(client, resources.pods, {
  namespace,
  labelSelector: "spark-role=executor",
  clock,
  sink: { replace: () => undefined, apply: (event) => lateness.server(event) },
});
serve({ prepare, begin, allocate, change, lateness: () => lateness.take() });
process.on("SIGTERM", () => process.exit(0));
