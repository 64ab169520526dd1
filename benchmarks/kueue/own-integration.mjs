// @ts-check
import { isNotFound } from "@kindling/kube";
import { messageOf } from "@kindling/core-spec";

const SPARK_APPLICATION = {
  ...{ group: "sparkoperator.k8s.io", version: "v1beta2", plural: "sparkapplications", kind: "SparkApplication" },
  namespaced: true,
};

/**
 * The same application as a SparkApplication under Kueue's own integration. Nothing is created.
 *
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @returns {Promise<import("../harness/judge.mjs").Row>}
 */
export async function byOwnIntegration({ client }) {
  const what = "the same application by Kueue's own integration of SparkApplications";
  const application = {
    metadata: { name: "bench", labels: { "kueue.x-k8s.io/queue-name": "default" } },
    spec: {
      ...{ type: "Scala", mode: "cluster", sparkVersion: "4.3.0", mainClass: "Main" },
      mainApplicationFile: "local:///main.jar",
      dynamicAllocation: { enabled: true, minExecutors: 1, maxExecutors: 20 },
      driver: { cores: 1, memory: "512m" },
      executor: { cores: 1, memory: "512m", instances: 1 },
    },
  };
  try {
    await client.create(SPARK_APPLICATION, application, { namespace: "default", dryRun: true });
    return { what, found: "taken (Kueue's integration is not on)" };
  } catch (error) {
    if (isNotFound(error)) return { what, found: "not tried, because SparkApplications are not installed" };
    const [, reason] = /denied the request: (.*)/.exec(messageOf(error)) ?? [];
    if (reason === undefined) throw error;
    return { what, found: `refused: ${reason}` };
  }
}
