import { NAMESPACE, type JsonObject } from "@kindling/recordings";
import type { ExistingPod } from "../cases/case.ts";

const CREATED = "2026-01-01T00:00:00Z";
const ENDED = "2026-01-01T00:01:00Z";

/** Driver pods that existed before, by their paths. */
export function existingPods(pods: readonly ExistingPod[]): Record<string, JsonObject> {
  return Object.fromEntries(
    pods.map(({ name, phase }) => {
      const labels = { "spark-role": "driver", "spark-app-selector": `spark-of-${name}`, "spark-app-name": "etl" };
      const metadata = { name, namespace: NAMESPACE, uid: `uid-of-${name}`, creationTimestamp: CREATED, labels };
      const containers = [{ name: "spark-kubernetes-driver", image: "spark:1" }];
      const spec = {
        serviceAccountName: "default",
        nodeName: "node-1",
        volumes: [{ name: "v", emptyDir: {} }],
        containers,
      };
      const pod = { apiVersion: "v1", kind: "Pod", metadata, spec };
      return [`/api/v1/namespaces/${NAMESPACE}/pods/${name}`, { ...pod, status: statusOfPod(pod, phase) }];
    }),
  );
}

/** The status of a pod in this phase, with a status for each of its containers. */
export function statusOfPod(pod: JsonObject, phase: string): JsonObject {
  const { containers = [] } = (pod["spec"] ?? {}) as { containers?: readonly { name: string; image?: string }[] };
  const exitCode = phase === "Succeeded" ? 0 : 1;
  const terminated = {
    exitCode,
    reason: exitCode === 0 ? "Completed" : "Error",
    startedAt: CREATED,
    finishedAt: ENDED,
  };
  const state =
    phase === "Pending"
      ? { waiting: { reason: "ContainerCreating" } }
      : phase === "Running"
        ? { running: { startedAt: CREATED } }
        : { terminated };
  const containerStatuses = containers.map(({ name, image = "" }) => ({
    ...{
      name,
      image,
      imageID: image,
      ready: phase === "Running",
      restartCount: 0,
      started: phase === "Running",
      state,
    },
  }));
  return { phase, startTime: CREATED, containerStatuses };
}
