import { resources } from "@kindling/kube";
import { APP_DIR, prepareApplications } from "../clusters/applications.ts";
import { TestNamespace } from "../clusters/test-cluster.ts";
import { conf, PI, submitting, type Bench, type Mistakes } from "./bench.ts";

/** Mistakes that make an application wait, or that make the cluster refuse it. */
export const WAITING: Mistakes = {
  "a driver's account that is not there": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kubernetes.authenticate.driver.serviceAccountName": "sprak" }), ...PI),
  }),
  "more than the quota allows": async (bench) => {
    const small = await withQuota(bench, { "requests.memory": "100Mi" });
    return { args: submitting(small, ...PI) };
  },
  "a driver image that is not there": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kubernetes.driver.container.image": MISSING }), ...PI),
  }),
  "a localizer image that is not there": (bench) => ({
    args: submitting(bench, ...bench.staging.flags, ...conf({ "spark.kindling.localizer.image": MISSING }), "app.py"),
  }),
  "a sidecar's image that is not there": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kubernetes.driver.podTemplateFile": "sidecar.yaml" }), ...PI),
  }),
  "a driver that is too large": (bench) => ({ args: submitting(bench, "--driver-memory", "900g", ...PI) }),
  "a node that there is not": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kubernetes.node.selector.disk": "nvme" }), ...PI),
  }),
  "a scheduler that there is not": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kubernetes.scheduler.name": "yunikron" }), ...PI),
  }),
  "a Secret that is not there": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kubernetes.driver.secrets.vault": "/etc/vault" }), ...PI),
  }),
  "a key that a Secret has not": async (bench) => {
    await bench.namespace.client.create(resources.secrets, {
      ...{ apiVersion: "v1", kind: "Secret", metadata: { name: "login" }, stringData: { user: "me" } },
    });
    return {
      args: submitting(bench, ...conf({ "spark.kubernetes.driver.secretKeyRef.PASSWORD": "login:password" }), ...PI),
    };
  },
  "a claim that is not there": (bench) => ({
    args: submitting(
      bench,
      ...conf({
        "spark.kubernetes.driver.volumes.persistentVolumeClaim.data.options.claimName": "data",
        "spark.kubernetes.driver.volumes.persistentVolumeClaim.data.mount.path": "/data",
      }),
      ...PI,
    ),
  }),
  "executors that are too large": (bench) => ({ args: submitting(bench, "--executor-memory", "900g", SLEEP) }),
  "an executors' image that is not there": (bench) => ({
    args: submitting(bench, ...conf({ "spark.kubernetes.executor.container.image": MISSING }), SLEEP),
  }),
  "executors that the quota leaves no room for": async (bench) => {
    const small = await withQuota(bench, { pods: "1" });
    // Otherwise Spark 4.3 gives up within seconds: it counts each refused pod as a failed executor.
    const patient = conf({ "spark.executor.maxNumFailures": "1000" });
    return { args: submitting(small, ...patient, SLEEP) };
  },
};

/** It runs until it is ended. */
const SLEEP = `local://${APP_DIR}/sleep.py`;

/** Nothing answers there, so the fault is found at once. */
const MISSING = "localhost:1/nosuch/spark:4.3.0";

/** The same in a separate namespace with a quota. */
async function withQuota(bench: Bench, hard: Readonly<Record<string, string>>): Promise<Bench> {
  const namespace = await TestNamespace.create("quota");
  const version = bench.fixtures.conf["spark.kindling.sparkVersion"] ?? "";
  const fixtures = await prepareApplications(namespace, version);
  bench.atEnd(async () => {
    fixtures.remove();
    await namespace.remove();
  });
  const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "team-quota" }, spec: { hard } };
  await namespace.client.create(await namespace.client.resourceFor("v1", "ResourceQuota"), quota);
  return { ...bench, namespace, fixtures };
}
