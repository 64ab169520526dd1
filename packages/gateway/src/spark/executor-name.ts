import type { KubeObject } from "@kindling/kube-objects";
import { SPARK_EXECUTOR_ID_LABEL } from "@kindling/core-spec";

/** The part before `-exec-<id>` in the name of an executor; undefined for a name that does not end with the executor's id. */
export function prefixOfExecutor({ metadata: { name, labels } }: KubeObject): string | undefined {
  const end = `-exec-${labels?.[SPARK_EXECUTOR_ID_LABEL] ?? ""}`;
  return name.endsWith(end) && name.length > end.length ? name.slice(0, -end.length) : undefined;
}
