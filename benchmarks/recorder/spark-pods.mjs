// @ts-check
// Pods as Spark's submission and its drivers make them.
import { resources } from "@kindling/kube";
import { inParallel } from "../harness/in-parallel.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */

const AT_ONCE = 16;

/**
 * @param {string} name
 * @param {Readonly<Record<string, string>>} labels
 * @param {string} container
 */
function pod(name, labels, container) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { "spark-version": "4.3.0", team: "blue", ...labels } },
    spec: {
      restartPolicy: "Never",
      containers: [
        {
          name: container,
          image: "apache/spark:4.3.0",
          env: Array.from({ length: 10 }, (_, index) => ({ name: `SPARK_${index}`, value: `value ${index}` })),
          resources: { requests: { cpu: "1", memory: "1408Mi" }, limits: { memory: "1408Mi" } },
        },
      ],
    },
  };
}

/** @param {string} app */
export function driverOf(app) {
  const labels = { "spark-role": "driver", "spark-app-selector": `spark-${app}`, "spark-app-name": app };
  return pod(`${app}-driver`, labels, "spark-kubernetes-driver");
}

/**
 * @param {string} app
 * @param {number} number
 */
export function executorOf(app, number) {
  const labels = { "spark-role": "executor", "spark-app-selector": `spark-${app}`, "spark-exec-id": String(number) };
  return pod(`${app}-exec-${number}`, labels, "spark-kubernetes-executor");
}

/**
 * @param {KubeClient} client
 * @param {string} namespace
 * @param {readonly ReturnType<typeof driverOf>[]} pods
 */
export async function create(client, namespace, pods) {
  await inParallel(pods, AT_ONCE, (one) => client.create(resources.pods, one, { namespace }));
}
