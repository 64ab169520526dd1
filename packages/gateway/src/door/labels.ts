import type { KubeObject } from "@kindling/api-server";
import {
  SPARK_APP_ID_LABEL,
  SPARK_APP_NAME_LABEL,
  SPARK_EXECUTOR_ID_LABEL,
  SPARK_EXECUTOR_INACTIVE_LABEL,
  SPARK_RESOURCE_PROFILE_ID_LABEL,
  SPARK_ROLE_LABEL,
  SPARK_VERSION_LABEL,
} from "@kindling/core-spec";
import type { SubmittedConfiguration } from "./submitted-configuration.ts";

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

const EXECUTOR_LABEL = "spark.kubernetes.executor.label.";
const CLAIM_LABEL = /^spark\.kubernetes\.executor\.volumes\.persistentVolumeClaim\.[^.]+\.label\.(.+)$/;
const DECOMMISSION_LABEL = "spark.kubernetes.executor.decommissionLabel";
const DECOMMISSION_LABEL_VALUE = "spark.kubernetes.executor.decommissionLabelValue";

/** Whether Spark writes a label by itself. */
export function isSparksOwn(label: string): boolean {
  return SPARKS_OWN.has(label);
}

/**
 * Labels that need a reason: Services, network policies and budgets of others select by labels, so that `app: postgres` on
 * an executor makes it part of somebody's database. Those that the driver's pod has came there by its submission.
 */
export function labelsBeyond(labels: Texts, driver: KubeObject): Texts {
  const own = driver.metadata.labels ?? {};
  return Object.fromEntries(
    Object.entries(labels).filter(([label, value]) => !SPARKS_OWN.has(label) && own[label] !== value),
  );
}

/** What a submission has said of labels of executors. */
export function executorLabels({ conf, templateLabels }: SubmittedConfiguration): Texts {
  const decommission = conf[DECOMMISSION_LABEL];
  const configured = Object.entries(conf).flatMap(([key, value]) =>
    key.startsWith(EXECUTOR_LABEL) ? [[key.slice(EXECUTOR_LABEL.length), value] as const] : [],
  );
  return {
    ...templateLabels,
    ...Object.fromEntries(configured),
    ...(decommission !== undefined && { [decommission]: conf[DECOMMISSION_LABEL_VALUE] ?? "" }),
  };
}

/** What a submission has said of labels of claims that are made on demand (Spark 4.1 on). */
export function claimLabels({ conf }: SubmittedConfiguration): Texts {
  const configured = Object.entries(conf).flatMap(([key, value]) => {
    const label = CLAIM_LABEL.exec(key)?.[1];
    return label === undefined ? [] : [[label, value] as const];
  });
  return Object.fromEntries(configured);
}

/** The first label that is not as the submission has said it; Spark fills in the ids of application and executor. */
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
