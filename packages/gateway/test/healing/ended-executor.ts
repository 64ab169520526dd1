import type { KubeObject } from "@kindling/kube-objects";
import { aPod } from "@kindling/test-kit/a-pod";

export const SPARK = "spark-kubernetes-executor";

export interface EndedOptions {
  readonly id?: number;
  readonly exitCode?: number;
  readonly reason?: string;
  readonly heap?: string;
  readonly limit?: string;
  readonly slots?: string;
}

/** The pod of an executor as Spark makes it. */
export function executorPod({ id = 1, heap = "1024m", limit = "1408Mi", slots = "2" }: EndedOptions = {}): KubeObject {
  const built = aPod(`etl-exec-${id}`)
    .in("spark-jobs")
    .executor(id, "spark-etl")
    .spec({
      containers: [
        { name: "sidecar", image: "sidecar" },
        {
          name: SPARK,
          image: "spark",
          env: [
            { name: "SPARK_EXECUTOR_CORES", value: slots },
            { name: "SPARK_EXECUTOR_MEMORY", value: heap },
            { name: "TEAM", value: "etl" },
          ],
          resources: { requests: { cpu: "1", memory: limit }, limits: { memory: limit } },
        },
      ],
    })
    .stored();
  return built as unknown as KubeObject;
}

/** The same, after its Spark has ended. */
export function endedExecutor(options: EndedOptions = {}): KubeObject {
  const { exitCode = 137, reason = "Error" } = options;
  const status = {
    phase: "Failed",
    containerStatuses: [
      { name: "sidecar", state: { terminated: { exitCode: 0, reason: "Completed" } } },
      { name: SPARK, state: { terminated: { exitCode, reason } } },
    ],
  };
  return { ...executorPod(options), status };
}
