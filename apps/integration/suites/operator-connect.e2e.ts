import { randomUUID } from "node:crypto";
import { type KubeObjectLike, type ResourceType, resources } from "@kindling/kube";
import { ConnectClient } from "@kindling/test-kit/connect-client";
import { framed, sqlRequest } from "@kindling/test-kit/connect-messages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { forwarded } from "../clusters/forwarded.ts";
import { IS_STOCK, startOperator } from "../clusters/operator.ts";
import { eventually, sparkImage, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
const LIMIT_MS = 180_000;

interface ConnectServer extends KubeObjectLike {
  readonly status?: {
    readonly state?: string;
    readonly server?: { readonly podName?: string; readonly serviceName?: string };
    readonly executors?: Readonly<Record<string, number>>;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

// Stock's server fails with Spark 4.3 (kubeflow/spark-operator 2.5.2 does not know `useDriverPodIP`), and never stops.
describe.skipIf(IS_STOCK)(`a SparkConnect, on Spark ${VERSION}`, { timeout: LIMIT_MS }, () => {
  let namespace: TestNamespace;
  let kind: ResourceType;
  let server: ConnectServer;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    namespace = await TestNamespace.create("operator-connect");
    ends.push(() => namespace.remove());
    const operator = await startOperator(namespace);
    ends.unshift(() => operator.stop());
    kind = await namespace.client.resourceFor("sparkoperator.k8s.io/v1alpha1", "SparkConnect");
    await namespace.apply(objectOf(namespace.name));
    server = await until("Ready");
  }, LIMIT_MS);
  afterAll(async () => {
    for (const end of ends) await end();
  }, LIMIT_MS);

  async function until(state: string): Promise<ConnectServer> {
    return await eventually(
      `the state ${state}`,
      async () => {
        const found = (await namespace.client.get(kind, "notebook")) as ConnectServer;
        return found.status?.state === state && found;
      },
      LIMIT_MS,
    );
  }

  test("is served as kubeflow's operator does it, with a pod and a service of these names", async () => {
    expect(server.status?.server).toMatchObject({ podName: "notebook-server", serviceName: "notebook-server" });
    const service = await namespace.client.get(resources.services, "notebook-server");
    expect(service.spec?.ports?.map(({ port }) => port)).toContain(15_002);
    const pod = await namespace.client.get(resources.pods, "notebook-server");
    expect(pod.metadata?.labels).toMatchObject({ team: "research" });
  });

  test("computes on its executors for a client", async () => {
    const port = await forwarded(namespace, "notebook-server", 15_002);
    const client = new ConnectClient(`http://127.0.0.1:${port.port}`, { token: "" });
    const sum = Buffer.alloc(8);
    sum.writeBigInt64LE(499_500n);
    try {
      const body = framed(sqlRequest(randomUUID(), "SELECT sum(id) FROM range(0, 1000, 1, 2)"));
      const answer = await client.call("ExecutePlan", { body });
      expect(answer, answer.message).toMatchObject({ status: "0" });
      expect(answer.body.includes(sum)).toBe(true);
    } finally {
      client.close();
      port.stop();
    }
    await eventually("its executor in the status", async () => {
      const { status } = (await namespace.client.get(kind, "notebook")) as ConnectServer;
      return status?.executors?.["running"] === 1;
    });
  });

  test("is stopped when it is idle, with its executors, and is there for the next time", async () => {
    const annotations = { "operator.kindling/idle-timeout": "1s" };
    await namespace.client.patch(kind, "notebook", "merge", { metadata: { annotations } });
    const stopped = await until("NotReady");
    const { status } = await eventually("the condition of a stopped server", async () => {
      const found = (await namespace.client.get(kind, "notebook")) as ConnectServer;
      return (
        found.status?.conditions?.some(({ type, status: is }) => type === "ServerStopped" && is === "True") && found
      );
    });
    expect([stopped.status?.state, status?.state]).toEqual(["NotReady", "NotReady"]);
    await eventually("the end of all pods", async () => {
      const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "spark-role" });
      return items.length === 0;
    });
  });

  test("goes as a whole when its time to live is over", async () => {
    const annotations = { "operator.kindling/ttl": "1s" };
    await namespace.client.patch(kind, "notebook", "merge", { metadata: { annotations } });
    await eventually("the end of the object", async () => {
      const { items } = await namespace.client.listAll(kind);
      return items.length === 0;
    });
    const left = await eventually("an empty namespace", async () => {
      const [services, maps] = await Promise.all([
        namespace.client.listAll(resources.services),
        namespace.client.listAll(resources.configmaps),
      ]);
      const names = [...services.items, ...maps.items].map(({ metadata }) => metadata?.name ?? "");
      return !names.some((name) => name.startsWith("notebook")) && names;
    });
    expect(left).toEqual(["kube-root-ca.crt"]);
  });
});

/** Built like kubeflow's own example (examples/sparkconnect/spark-connect.yaml), smaller, with this image. */
function objectOf(namespace: string): string {
  const image = sparkImage(VERSION);
  return `
apiVersion: sparkoperator.k8s.io/v1alpha1
kind: SparkConnect
metadata: {name: notebook, namespace: ${namespace}}
spec:
  sparkVersion: ${VERSION}
  sparkConf: {spark.kubernetes.executor.request.cores: 100m}
  server:
    template:
      metadata: {labels: {team: research}, annotations: {cost-centre: "12"}}
      spec:
        containers:
          - name: spark-kubernetes-driver
            image: ${image}
            imagePullPolicy: IfNotPresent
            resources: {requests: {cpu: 100m, memory: 1Gi}, limits: {cpu: "1", memory: 1Gi}}
            securityContext:
              capabilities: {drop: [ALL]}
              runAsGroup: 185
              runAsUser: 185
              runAsNonRoot: true
              allowPrivilegeEscalation: false
              seccompProfile: {type: RuntimeDefault}
        serviceAccountName: spark
  executor:
    instances: 1
    cores: 1
    memory: 512m
    template:
      metadata: {labels: {team: research}}
      spec:
        containers:
          - name: spark-kubernetes-executor
            image: ${image}
            imagePullPolicy: IfNotPresent
`;
}
