import { formatProperties, type Step } from "@kindling/core-spec";
import { formatHandover, type ExecutorHandover, type HandedStep } from "@kindling/steps";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { stringify } from "yaml";
import { FakeDriver } from "./fake-driver.ts";

export interface HandedOver {
  readonly steps: readonly HandedStep[];
  /** Kindling's own keys. */
  readonly own?: Readonly<Record<string, string>>;
  readonly conf?: Readonly<Record<string, string>>;
  /** Another text for the ConfigMap. */
  readonly text?: string;
  /** How many executors may be created before the driver asks. */
  readonly early?: number;
  /** Further annotations of the driver's pod. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The pod template of the executors. */
  readonly template?: object;
}

/** Runs a driver whose submission leaves steps to the gateway. */
export async function runHandedOver(cluster: TestCluster, name: string, given: HandedOver): Promise<FakeDriver> {
  const { steps, own = {}, conf = {}, early, template } = given;
  const handover: ExecutorHandover = { sparkVersion: "4.3.0", appName: name, conf: own, steps };
  const secrets = steps.flatMap(({ dependencies }) => dependencies?.secretName ?? []);
  const maps = {
    [`${name}-steps`]: { "executor-steps.json": given.text ?? formatHandover(handover) },
    [`${name}-conf`]: { "spark.properties": formatProperties(conf, "the driver's") },
    ...(template && { [`${name}-template`]: { "podspec-configmap-key": stringify(template) } }),
  };
  for (const [map, data] of Object.entries(maps)) {
    const path = "/api/v1/namespaces/spark-jobs/configmaps";
    await cluster.send("POST", path, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: map }, data });
  }
  return FakeDriver.run(cluster, name, {
    labels: { "scheduler.kindling/gateway": "true" },
    annotations: {
      "scheduler.kindling/executor-steps": `${name}-steps`,
      ...given.annotations,
      ...(early !== undefined && { "scheduler.kindling/early-executors": String(early) }),
    },
    spec: {
      volumes: [
        ...secrets.map((secretName) => ({ name: secretName, secret: { secretName } })),
        { name: "spark-conf-volume-driver", configMap: { name: `${name}-conf` } },
        ...(template === undefined ? [] : [{ name: "pod-template-volume", configMap: { name: `${name}-template` } }]),
      ],
      containers: [
        {
          name: "spark-kubernetes-driver",
          image: "spark",
          env: [
            { name: "SPARK_USER", value: "ada" },
            { name: "SPARK_LOCAL_DIRS", value: "/var/data/spark-1" },
          ],
          volumeMounts: [{ name: "spark-conf-volume-driver", mountPath: "/opt/spark/conf" }],
        },
      ],
    },
  });
}

/** Gives each executor its own Service, and tells it the name of this Service: a template cannot do this. */
export const ADDRESSED: Step = {
  name: "addressed",
  configureExecutor(spec, { appId, executorId, conf }) {
    const { executorPod, executorContainer, executorKubernetesResources } = spec;
    const name = `${appId}-${executorId}`;
    const { metadata } = executorPod;
    const zone = conf.raw("spark.kindling.addressed.zone") ?? conf.raw("spark.addressed.zone") ?? "none";
    return {
      executorPod: {
        ...executorPod,
        metadata: { ...metadata, annotations: { ...metadata?.annotations, "example.com/zone": zone } },
      },
      executorContainer: {
        ...executorContainer,
        env: [...(executorContainer.env ?? []), { name: "ADDRESS", value: name }],
      },
      executorKubernetesResources: [
        ...executorKubernetesResources,
        {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name },
          spec: {
            clusterIP: "None",
            selector: { "spark-app-selector": appId, "spark-exec-id": executorId },
            ports: [{ name: "block-manager", port: 7079 }],
          },
        },
      ],
    };
  },
};
