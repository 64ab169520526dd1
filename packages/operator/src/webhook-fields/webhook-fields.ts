import type { Step } from "@kindling/core-spec";
import { changingStep } from "@kindling/steps";
import type { SparkApplication } from "@kindling/spark-application";
import { webhookChanges } from "./changes/webhook-changes.ts";
import { roleFields } from "./role-fields.ts";

export interface WebhookFieldsOptions {
  /**
   * Whether executors get their fields from the step, for example if a gateway runs it for each executor. Default: no;
   * the fields come with the pod template of `executorTemplate`.
   */
  readonly executors?: boolean;
}

/**
 * What stock's mutating webhook does to the pods of an application, as a step after Spark's own. It applies to Spark's
 * container, whatever that is called. Counterpart of `SparkPodDefaulter` (kubeflow/spark-operator v2.5.2,
 * internal/webhook/sparkpod_defaulter.go), which uses the pod's first container if none has Spark's name.
 *
 * @throws KindlingError `CONF_INVALID` for a memory limit that is no amount
 */
export function webhookFields(application: SparkApplication, { executors = false }: WebhookFieldsOptions = {}): Step {
  return changingStep("webhook-fields", {
    driver: webhookChanges(roleFields(application, "driver")),
    executor: executors ? webhookChanges(roleFields(application, "executor")) : undefined,
  });
}
