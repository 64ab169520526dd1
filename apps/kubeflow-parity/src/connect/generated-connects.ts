// SparkConnect objects with random values in every field. The same seed gives the same objects.
import type { SparkConnect } from "@kindling/spark-application";
import { type Draw, drawing, withoutUnset } from "../drawing.ts";

/** An object that stock's webhook takes. Its texts mean nothing to a shell: the release that is compared quotes none. */
export function generatedConnect(seed: number): SparkConnect {
  const draw = drawing(seed);
  const { below, one, maybe } = draw;
  return withoutUnset({
    apiVersion: "sparkoperator.k8s.io/v1alpha1",
    kind: "SparkConnect",
    metadata: {
      name: `connect-${seed}`,
      namespace: one("default", "spark-jobs"),
      uid: `6a1c3f2e-0000-4000-8000-${String(seed).padStart(12, "0")}`,
      generation: 1 + below(5),
      resourceVersion: String(below(1e6)),
      creationTimestamp: "2026-08-01T00:00:00Z",
      labels: maybe(0.4, () => ({ team: one("a", "b"), "example.com/tier": "gold" })) ?? {},
      annotations: {},
    },
    spec: {
      sparkVersion: one("3.5.8", "4.0.4", "4.3.0"),
      image: "docker.io/library/spark:4.0.4",
      sparkConf: maybe(0.6, () => sparkConf(draw)),
      hadoopConf: maybe(0.3, () => ({
        "fs.s3a.endpoint": "https://store:9000",
        "spark.hadoop.fs.defaultFS": "s3a://a/",
      })),
      server: { ...role(draw, "spark-kubernetes-driver"), service: maybe(0.3, () => service(draw)) },
      executor: { ...role(draw, "spark-kubernetes-executor"), instances: maybe(0.7, () => below(5)) },
      dynamicAllocation: maybe(0.4, () => allocation(draw)),
    },
    status: {},
  }) as SparkConnect;
}

function sparkConf({ one, maybe }: Draw): object {
  return {
    "spark.kubernetes.driver.pod.name": maybe(0.2, () => "another"),
    "spark.sql.shuffle.partitions": maybe(0.5, () => one("8", "200")),
    "spark.eventLog.dir": maybe(0.3, () => "s3a://logs/spark"),
    "spark.driver.memory": maybe(0.2, () => "3g"),
    "spark.driver.port": maybe(0.2, () => "9000"),
  };
}

function role(draw: Draw, container: string): object {
  const { below, one, maybe } = draw;
  return {
    cores: maybe(0.5, () => 1 + below(4)),
    memory: maybe(0.5, () => one("512m", "2g", "1024mb")),
    template: maybe(0.6, () => template(draw, container)),
  };
}

function template(draw: Draw, container: string): object {
  const { one, maybe, some } = draw;
  const spark = {
    name: container,
    image: maybe(0.5, () => one("own/spark:1", "")),
    env: some(2, (index) => ({ name: `VARIABLE_${index}`, value: one("a", "b") })),
    ports: maybe(0.3, () => [{ name: "metrics", containerPort: 8090, protocol: "TCP" }]),
    volumeMounts: maybe(0.3, () => [{ name: "scratch", mountPath: "/scratch" }]),
  };
  const sidecars = some(1, () => ({ name: "sidecar", image: "busybox" }));
  return {
    metadata: maybe(0.5, () => ({ labels: { "spark-role": "mine", a: "b" }, annotations: { c: "d" } })),
    spec: {
      serviceAccountName: maybe(0.6, () => "spark"),
      nodeSelector: maybe(0.3, () => ({ disk: "ssd" })),
      volumes: maybe(0.5, () => [{ name: "scratch", emptyDir: {} }]),
      containers: one([...sidecars, spark], [spark, ...sidecars]),
    },
  };
}

function service({ one, maybe }: Draw): object {
  return {
    metadata: { name: "mine", labels: maybe(0.5, () => ({ a: "b" })), annotations: maybe(0.5, () => ({ c: "d" })) },
    spec: maybe(0.7, () => ({ type: one("ClusterIP", "LoadBalancer"), selector: maybe(0.3, () => ({ e: "f" })) })),
  };
}

function allocation({ below, chance, maybe }: Draw): object {
  return {
    enabled: chance(0.7),
    initialExecutors: maybe(0.5, () => 2),
    minExecutors: maybe(0.5, () => below(2)),
    maxExecutors: maybe(0.5, () => 3 + below(3)),
    shuffleTrackingEnabled: maybe(0.5, () => chance(0.5)),
    shuffleTrackingTimeout: maybe(0.3, () => 60_000),
  };
}
