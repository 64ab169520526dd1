import { systemClock } from "@kindling/outside";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { caught } from "@kindling/test-kit/caught";
import type { ConfigMap, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { cachedNamespaceLabels, type SubmissionEvent } from "../../../src/index.ts";
import { impatientClient, submitTo, type SubmitCall } from "../../fixtures/submission.ts";

const NAMESPACE = "/api/v1/namespaces/spark-jobs";
const NOTICE =
  "pod security: namespace spark-jobs admits restricted pods only, so driver and executors are made like that";
const DISK = {
  "spark.kubernetes.executor.volumes.hostPath.disk.mount.path": "/mnt/disk",
  "spark.kubernetes.executor.volumes.hostPath.disk.options.path": "/mnt/disk",
};

async function clusterOfLevel(level: string): Promise<TestCluster> {
  const cluster = await TestCluster.start();
  await cluster.send("PATCH", NAMESPACE, { metadata: { labels: { "pod-security.kubernetes.io/enforce": level } } });
  return cluster;
}

interface Submitted {
  readonly driver: Pod | undefined;
  /** The driver's pod template for executors, if it has one. */
  readonly template: string | undefined;
  readonly notices: readonly string[];
}

async function submitted(cluster: TestCluster, call: SubmitCall = {}): Promise<Submitted> {
  const notices: string[] = [];
  const onEvent = (event: SubmissionEvent): void => void (event.type === "notice" && notices.push(event.message));
  const { application } = await submitTo(cluster, { ...call, onEvent });
  const pods = await cluster.objects<Pod>("Pod");
  const maps = await cluster.objects<ConfigMap>("ConfigMap");
  return {
    driver: pods.find(({ metadata }) => metadata?.name === application.driverPod),
    template: maps.flatMap(({ data }) => data?.["podspec-configmap-key"] ?? [])[0],
    notices,
  };
}

const asked = (cluster: TestCluster): number =>
  cluster.api.requests.filter(({ method, path }) => method === "GET" && path === NAMESPACE).length;

describe("in a namespace that admits restricted pods only", () => {
  test("driver and executors are made like that, and a notice says so", async () => {
    const { driver, template, notices } = await submitted(await clusterOfLevel("restricted"));
    expect(driver?.spec?.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(JSON.parse(template ?? "{}")).toMatchObject({
      spec: {
        securityContext: driver?.spec?.securityContext,
        containers: [{ securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } }],
      },
    });
    expect(notices).toEqual([NOTICE]);
  });

  test("pods stay as they are if the submission says so", async () => {
    const conf = { "spark.kindling.podSecurity": "privileged" };
    const cluster = await clusterOfLevel("restricted");
    const { driver, template, notices } = await submitted(cluster, { conf });
    expect([driver?.spec?.securityContext, template, notices]).toEqual([{}, undefined, []]);
    expect(asked(cluster)).toBe(0);
  });

  test("what it cannot admit is refused before anything is made, with the field", async () => {
    const cluster = await clusterOfLevel("restricted");
    const error = await caught(submitTo(cluster, { conf: DISK }));
    expect(error).toMatchObject({
      code: "CONF_CONFLICT",
      message: "pod security restricted does not allow the pods of executors: volume disk: hostPath",
    });
    const driverTemplate = { spec: { containers: [{ name: "spark", securityContext: { privileged: true } }] } };
    const { message } = await caught(submitTo(cluster, { driverTemplate }));
    expect(message).toBe("pod security restricted does not allow the driver's pod: container spark: privileged=true");
    expect(cluster.api.writes).toEqual([]);
  });

  test("the gateway is told to make executors like that", async () => {
    const conf = {
      "spark.kindling.scheduler": "gateway",
      "spark.kindling.scheduler.uri": "https://gateway.kindling.svc:8443",
    };
    const cluster = await clusterOfLevel("restricted");
    await submitted(cluster, { conf });
    const maps = await cluster.objects<ConfigMap>("ConfigMap");
    const [handover] = maps.flatMap(({ data }) => data?.["executor-steps.json"] ?? []);
    expect(JSON.parse(handover ?? "{}")).toMatchObject({
      conf: { "spark.kindling.podSecurity": "restricted" },
      steps: [{ name: "pod-security" }],
    });
  });
});

test("a namespace of the level baseline changes no pod, and refuses what it will refuse", async () => {
  const cluster = await clusterOfLevel("baseline");
  expect(await submitted(cluster)).toMatchObject({ driver: { spec: { securityContext: {} } }, notices: [] });
  expect(await caught(submitTo(cluster, { conf: DISK }))).toMatchObject({ code: "CONF_CONFLICT" });
});

test("a level that is no level, and a namespace that may not be seen, change nothing", async () => {
  const cluster = await clusterOfLevel("secret");
  expect(await submitted(cluster)).toMatchObject({ driver: { spec: { securityContext: {} } }, notices: [] });
  await cluster.send("PATCH", NAMESPACE, {
    metadata: { labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
  });
  cluster.api.fault = ({ method, path }) =>
    method === "GET" && path === NAMESPACE ? { kind: "status", status: 403, reason: "Forbidden" } : undefined;
  expect(await submitted(cluster)).toMatchObject({ driver: { spec: { securityContext: {} } }, notices: [] });
});

test("a service asks for a namespace once in a while", async () => {
  const cluster = await clusterOfLevel("restricted");
  const client = await impatientClient(cluster);
  const namespaceLabels = cachedNamespaceLabels({ clock: systemClock });
  for (let count = 0; count < 3; count++) await submitted(cluster, { client, namespaceLabels });
  expect(asked(cluster)).toBe(1);
});
