import { aSparkConnect } from "@kindling/spark-application/testing";
import { describe, expect, test } from "vitest";
import { serverPod } from "../../src/connect-server/server-pod.ts";
import { serverService, templateMap } from "../../src/connect-server/server-service.ts";

const MASTER = "k8s://https://10.0.0.1:443";
const OWNER = {
  ...{ apiVersion: "sparkoperator.k8s.io/v1alpha1", kind: "SparkConnect", name: "notebook", uid: "uid-of-notebook" },
  ...{ controller: true, blockOwnerDeletion: true },
};
const SERVER_LABELS = {
  "sparkoperator.k8s.io/launched-by-spark-operator": "true",
  "sparkoperator.k8s.io/connect-name": "notebook",
  "spark-role": "connect-server",
  "spark-version": "4.3.0",
};

describe("the pod", () => {
  test("of a bare object has one container", () => {
    const pod = serverPod(aSparkConnect(), MASTER);
    expect(pod.metadata).toEqual({
      ...{ name: "notebook-server", namespace: "spark-jobs", labels: SERVER_LABELS, ownerReferences: [OWNER] },
      annotations: { "operator.kindling/spec": expect.stringMatching(/^1-[0-9a-f]{16}$/) },
    });
    expect(pod.spec?.volumes).toEqual([
      {
        name: "spark-conf",
        configMap: {
          name: "notebook-conf",
          items: [{ key: "executor-pod-template.yaml", path: "executor-pod-template.yaml" }],
        },
      },
    ]);
    expect(pod.spec?.containers).toEqual([
      {
        name: "spark-kubernetes-driver",
        image: "apache/spark:4.3.0",
        command: ["bash", "-c"],
        args: [expect.stringMatching(/^\$\{SPARK_HOME\}\/sbin\/start-connect-server\.sh --master k8s:/)],
        env: [
          { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
          { name: "SPARK_NO_DAEMONIZE", value: "true" },
        ],
        ports: [
          { name: "driver-rpc-port", containerPort: 7078, protocol: "TCP" },
          { name: "blockmanager", containerPort: 7079, protocol: "TCP" },
          { name: "spark-ui", containerPort: 4040, protocol: "TCP" },
          { name: "spark-connect", containerPort: 15_002, protocol: "TCP" },
        ],
        startupProbe: {
          tcpSocket: { port: 15_002 },
          ...{ initialDelaySeconds: 5, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 30 },
        },
        readinessProbe: { tcpSocket: { port: 15_002 }, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 },
        volumeMounts: [
          {
            name: "spark-conf",
            subPath: "executor-pod-template.yaml",
            mountPath: "/tmp/spark/executor-pod-template.yaml",
            readOnly: true,
          },
        ],
        lifecycle: { preStop: { exec: { command: ["bash", "-c", "${SPARK_HOME}/sbin/stop-connect-server.sh"] } } },
      },
    ]);
  });

  test("is the template's, with Spark's container changed", () => {
    const probe = { httpGet: { path: "/ready", port: 4040 } };
    const sidecar = { name: "sidecar", image: "busybox" };
    const own = {
      ...{ name: "spark-kubernetes-driver", image: "own", readinessProbe: probe, env: [{ name: "A", value: "1" }] },
      ports: [{ name: "ui", containerPort: 4040 }],
    };
    const template = {
      metadata: { labels: { team: "etl", "spark-role": "other" }, annotations: { note: "n" } },
      spec: { serviceAccountName: "spark", containers: [sidecar, own], volumes: [{ name: "v", emptyDir: {} }] },
    };
    const { metadata, spec } = serverPod(aSparkConnect({ server: { template } }), MASTER);
    expect(metadata).toMatchObject({ labels: { team: "etl", ...SERVER_LABELS }, annotations: { note: "n" } });
    expect(spec).toMatchObject({ serviceAccountName: "spark", volumes: [{ name: "v" }, { name: "spark-conf" }] });
    const [first, second] = spec?.containers ?? [];
    expect(first).toEqual(sidecar);
    expect(second).toMatchObject({
      image: "own",
      readinessProbe: probe,
      startupProbe: { tcpSocket: { port: 15_002 } },
    });
    expect(second?.env?.map(({ name }) => name)).toEqual(["A", "POD_IP", "SPARK_NO_DAEMONIZE"]);
    expect(second?.ports?.map(({ name }) => name)).toEqual(["ui", "driver-rpc-port", "blockmanager", "spark-connect"]);
  });

  test("has the ports of its configuration", () => {
    const sparkConf = { "spark.connect.grpc.binding.port": "15099", "spark.ui.port": "4099" };
    const [container] = serverPod(aSparkConnect({ sparkConf }), MASTER).spec?.containers ?? [];
    expect(container).toMatchObject({
      readinessProbe: { tcpSocket: { port: 15_099 } },
      ports: [{}, {}, { containerPort: 4099 }, { containerPort: 15_099 }],
    });
  });
});

describe("the service", () => {
  test("has stock's ports, labels and selector", () => {
    expect(serverService(aSparkConnect())).toEqual({
      apiVersion: "v1",
      kind: "Service",
      metadata: {
        ...{ name: "notebook-server", namespace: "spark-jobs", ownerReferences: [OWNER] },
        labels: {
          "sparkoperator.k8s.io/created-by-spark-operator": "true",
          "sparkoperator.k8s.io/connect-name": "notebook",
        },
      },
      spec: {
        selector: SERVER_LABELS,
        ports: [
          { name: "driver-rpc", port: 7078, targetPort: 7078, protocol: "TCP", appProtocol: "tcp" },
          { name: "blockmanager", port: 7079, targetPort: 7079, protocol: "TCP", appProtocol: "tcp" },
          { name: "web-ui", port: 4040, targetPort: 4040, protocol: "TCP", appProtocol: "http" },
          { name: "spark-connect-server", port: 15_002, targetPort: 15_002, protocol: "TCP", appProtocol: "grpc" },
        ],
      },
    });
  });

  test("has the rest from the object, and leads to the ports of the configuration", () => {
    const service = {
      metadata: { name: "mine", labels: { a: "b" }, annotations: { c: "d" } },
      spec: { type: "LoadBalancer", ports: [{ port: 1 }] },
    } as const;
    const sparkConf = { "spark.connect.grpc.binding.port": "15099", "spark.ssl.ui.enabled": "true" };
    const { metadata, spec } = serverService(
      aSparkConnect({
        sparkConf,
        server: { service: { ...service, spec: { ...service.spec, ports: [{ port: 1 }] } } },
      }),
    );
    expect(metadata).toMatchObject({ name: "mine", labels: { a: "b" }, annotations: { c: "d" } });
    expect(spec).toMatchObject({ type: "LoadBalancer", selector: SERVER_LABELS });
    expect(spec.ports?.map(({ port, targetPort }) => [port, targetPort])).toEqual([
      [7078, 7078],
      [7079, 7079],
      [4040, 4440],
      [15_002, 15_099],
    ]);
  });

  test("without a name it has the usual one", () => {
    const service = { spec: { type: "NodePort" } };
    expect(serverService(aSparkConnect({ server: { service } })).metadata.name).toBe("notebook-server");
  });
});

test("the ConfigMap has the executors' template, or null", () => {
  const template = { metadata: { labels: { a: "b" } } };
  const { metadata, data } = templateMap(aSparkConnect({ executor: { template } }));
  expect(metadata).toMatchObject({ name: "notebook-conf", ownerReferences: [OWNER] });
  expect(JSON.parse(data?.["executor-pod-template.yaml"] ?? "")).toEqual(template);
  expect(templateMap(aSparkConnect()).data).toEqual({ "executor-pod-template.yaml": "null\n" });
});
