import { sparkConf } from "@kindling/core-spec";
import { handsStepsOver } from "@kindling/steps";
import { applicationIdOf, type SubmitRequest } from "@kindling/submit";
import { idleKeys, withoutIdleKeys } from "../../validation/idle-keys.ts";
import type { SparkApplication } from "@kindling/spark-application";
import type { OperatorSettings } from "../../flags/operator-settings.ts";
import { withSparkConf } from "../../resources/changed-application.ts";
import type { OwnedObject } from "../../resources/owned-object.ts";
import { applicationObjects } from "../../resources/application-objects.ts";
import { toRequest } from "../../translate/request.ts";
import { translate } from "../../translate/translate.ts";
import type { Translation } from "../../translate/translation.ts";
import { executorTemplate } from "../../webhook-fields/executor-template.ts";
import { roleFields } from "../../webhook-fields/role-fields.ts";
import { roleNotices } from "../../webhook-fields/role-notices.ts";
import { webhookFields } from "../../webhook-fields/webhook-fields.ts";

export interface RunContext {
  readonly settings: OperatorSettings;
  readonly submissionId: string;
  /** What the installation of Kindling adds to the sparkConf. */
  readonly installed: Readonly<Record<string, string>>;
}

/** Everything that a run needs to start. */
export interface RunPlan {
  /** To be made before the driver. */
  readonly objects: readonly OwnedObject[];
  readonly request: SubmitRequest;
  /** Warnings for the user besides the notices on the spec, one sentence each. */
  readonly warnings: readonly string[];
  /** Whether executors have a template of their own. It is then checked before any driver runs. */
  readonly hasExecutorTemplate: boolean;
}

/**
 * Plans a run, and does nothing.
 *
 * @param given with its defaults
 * @throws PreparationError with the whole text for `errorMessage`; KindlingError for what cannot be submitted
 */
export function planRun(given: SparkApplication, { settings, submissionId, installed }: RunContext): RunPlan {
  const configured = withoutIdleKeys(withSparkConf(given, sparkConfOf(given, settings)));
  const sparkApplicationId = applicationIdOf(submissionId);
  const around = applicationObjects(withSparkConf(configured, installed), {
    settings,
    submissionId,
    sparkApplicationId,
  });
  const translation = translate(around.application, { submissionId });
  const executors = executorTemplate(around.application, translation.executorTemplate);
  const isByGateway = gatewayRunsSteps(translation);
  const { template, conf } = isByGateway ? { template: translation.executorTemplate, conf: [] } : executors;
  return {
    objects: around.objects.filter(({ when }) => when === "before-driver"),
    request: toRequest(
      { ...translation, executorTemplate: template, conf: [...translation.conf, ...conf] },
      { steps: [webhookFields(around.application, { executors: isByGateway })], submissionId },
    ),
    warnings: isByGateway ? [] : executors.warnings,
    hasExecutorTemplate: executors.template !== undefined,
  };
}

/** Notices for the user about the spec, whether or not its run can be planned. */
export function specNotices(given: SparkApplication): readonly string[] {
  const roles = ["driver", "executor"] as const;
  return [
    ...idleKeys(given.spec).map(({ notice }) => notice),
    ...roles.flatMap((role) => roleNotices(roleFields(given, role))),
  ];
}

/** The sparkConf for all applications, with the application's own, which wins. */
export function sparkConfOf(
  { spec }: SparkApplication,
  settings: Pick<OperatorSettings, "sparkConf">,
): Readonly<Record<string, string>> {
  return { ...settings.sparkConf, ...spec.sparkConf };
}

/** Whether the gateway gives executors their fields, after all of Spark's steps; otherwise their template has them. */
function gatewayRunsSteps({ conf, sparkVersion }: Translation): boolean {
  return handsStepsOver(sparkConf(Object.fromEntries(conf), { sparkVersion, env: () => undefined }));
}
