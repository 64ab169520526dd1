import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { SHUFFLE_CONTAINER } from "@kindling/core-spec";
import { objectsAt, textAt } from "../json/fields.ts";

/** As Spark names it (`DEFAULT_EXECUTOR_CONTAINER_NAME`), unless a template does. */
const SPARK_CONTAINER = "spark-kubernetes-executor";
/** Spark sets it for every executor (BasicExecutorFeatureStep). */
const HEAP = "SPARK_EXECUTOR_MEMORY";

/**
 * The name of the container in which an executor's Spark runs: by Spark's name, by its environment, or else the first that is no
 * shuffle server.
 */
export function executorContainer(pod: KubeObject): string {
  const containers = objectsAt(pod, "spec", "containers");
  const found =
    containers.find(({ name }) => name === SPARK_CONTAINER) ??
    containers.find(hasHeap) ??
    containers.find(({ name }) => name !== SHUFFLE_CONTAINER);
  return textAt(found, "name") ?? "";
}

function hasHeap(container: JsonObject): boolean {
  return objectsAt(container, "env").some(({ name }) => name === HEAP);
}
