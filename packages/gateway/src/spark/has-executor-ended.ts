import type { KubeObject } from "@kindling/kube-objects";
import { containerState } from "./container-state.ts";
import { executorContainer } from "./executor-container.ts";
import { takesRoom } from "./spark-pod.ts";

/** Whether Spark in an executor's pod has ended, whatever else still runs there: nothing more comes of its log. */
export function hasExecutorEnded(pod: KubeObject): boolean {
  return !takesRoom(pod) || "terminated" in containerState(pod, executorContainer(pod));
}
