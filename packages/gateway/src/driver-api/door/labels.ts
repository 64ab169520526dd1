import type { KubeObject } from "@kindling/kube-objects";
import {
  SPARK_APP_ID_LABEL,
  SPARK_APP_NAME_LABEL,
  SPARK_EXECUTOR_ID_LABEL,
  SPARK_EXECUTOR_INACTIVE_LABEL,
  SPARK_RESOURCE_PROFILE_ID_LABEL,
  SPARK_ROLE_LABEL,
  SPARK_VERSION_LABEL,
} from "@kindling/core-spec";

type Texts = Readonly<Record<string, string>>;

/** What Spark itself writes on executors and on what they use (Spark, deploy/k8s/Constants.scala). */
const SPARKS_OWN: ReadonlySet<string> = new Set([
  SPARK_APP_ID_LABEL,
  SPARK_APP_NAME_LABEL,
  SPARK_EXECUTOR_ID_LABEL,
  SPARK_EXECUTOR_INACTIVE_LABEL,
  SPARK_RESOURCE_PROFILE_ID_LABEL,
  SPARK_ROLE_LABEL,
  SPARK_VERSION_LABEL,
]);

/** Whether Spark itself writes this label. */
export function isSparksOwn(label: string): boolean {
  return SPARKS_OWN.has(label);
}

/**
 * Labels that need a reason. Other people's Services, network policies and disruption budgets select by labels, so an
 * executor with `app: postgres` would become part of somebody's database. Labels that the driver's pod has were allowed by
 * its submission.
 */
export function labelsBeyond(labels: Texts, driver: KubeObject): Texts {
  const own = driver.metadata.labels ?? {};
  return Object.fromEntries(
    Object.entries(labels).filter(([label, value]) => !SPARKS_OWN.has(label) && own[label] !== value),
  );
}

/** The first label that differs from what the submission says; Spark fills in the ids of application and executor. */
export function unnamedLabel(
  labels: Texts,
  said: Texts,
  ids: { readonly app: string; readonly executor: string },
): string | undefined {
  return Object.entries(labels).find(([label, value]) => {
    const text = Object.hasOwn(said, label) ? said[label] : undefined;
    if (text === undefined) return true;
    const filledIn = text.replaceAll("{{APP_ID}}", ids.app).replaceAll("{{EXECUTOR_ID}}", ids.executor);
    return value !== text && value !== filledIn;
  })?.[0];
}
