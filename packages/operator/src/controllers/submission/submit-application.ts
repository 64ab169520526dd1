import { createRedactor, harmlessText, isKindlingError, KindlingError, REDACTED, sparkConf } from "@kindling/core-spec";
import { isConflict, isNotFound, resources, type KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { handsStepsOver } from "@kindling/steps";
import { applicationIdOf, inApplicationWords, submit, type FindInstallation, type Gathered } from "@kindling/submit";
import { withDefaults } from "../../api/v1beta2/defaults.ts";
import { idleKeys, withoutIdleKeys } from "../../api/v1beta2/idle-keys.ts";
import { validateQuota } from "../../api/v1beta2/quota.ts";
import type { SparkApplication } from "../../api/v1beta2/spark-application.ts";
import { validate } from "../../api/v1beta2/validate.ts";
import type { OperatorSettings } from "../../flags/operator-settings.ts";
import type { SubmissionOutcome } from "../../reconcile/after-submission.ts";
import { withSparkConf } from "../../resources/changed-application.ts";
import { PreparationError } from "../../resources/preparation-error.ts";
import { surroundings } from "../../resources/surroundings.ts";
import { withInstalledScheduler } from "../../gateway/installed-scheduler.ts";
import { toRequest } from "../../translate/request.ts";
import { driverPodName } from "../../names/driver-pod-name.ts";
import { translate } from "../../translate/translate.ts";
import type { Translation } from "../../translate/translation.ts";
import { executorTemplate } from "../../webhook-fields/executor-template.ts";
import { roleFields } from "../../webhook-fields/role-fields.ts";
import { roleNotices } from "../../webhook-fields/role-notices.ts";
import { webhookFields } from "../../webhook-fields/webhook-fields.ts";
import { applyOwned } from "../../resources/apply-owned.ts";
import { executorVerdict } from "./check-executor.ts";
import { withFieldNames } from "./field-names.ts";
import { isPassing, kubeErrorIn } from "./passing-fault.ts";

export interface SubmissionContext {
  readonly client: KubeClient;
  readonly outside: Outside;
  readonly settings: OperatorSettings;
  readonly installations: FindInstallation;
}

/** How an attempt to submit ended. */
export type Attempt =
  | { readonly kind: "done"; readonly outcome: SubmissionOutcome; readonly warnings: readonly string[] }
  /** The API server did not take it for a reason of its own: the same may be taken later. */
  | { readonly kind: "unavailable"; readonly error: Error }
  /** A driver has the name that is found at the next look, or is about to go. */
  | { readonly kind: "occupied" };

/**
 * Submits an application as it is now.
 *
 * @param application as it was read from the API server a moment ago
 * @param faults what could not be read of it
 */
export async function submitApplication(
  context: SubmissionContext,
  application: SparkApplication,
  faults: readonly string[],
  submissionId: string,
): Promise<Attempt> {
  const warnings: string[] = [];
  try {
    const refused = [...faults.filter((fault) => fault.startsWith("spec")), ...validate(application, {})];
    if (refused.length === 0 && context.settings.enforceResourceQuota)
      refused.push(...(await quotaFaults(context.client, application)));
    if (refused.length > 0) return failed(`${SUBMIT}: ${summary(refused)}`, warnings);
    await carryOut(context, withDefaults(application), submissionId, (text) => warnings.push(text));
    return { kind: "done", outcome: { kind: "submitted" }, warnings };
  } catch (error) {
    return await refusal(context, application, error, warnings);
  }
}

async function quotaFaults(client: KubeClient, application: SparkApplication): Promise<readonly string[]> {
  const { items } = await client.listAll(resources.resourcequotas, { namespace: application.metadata.namespace });
  return validateQuota(withDefaults(application), items);
}

const MOST_REASONS = 20;

function summary(reasons: readonly string[]): string {
  const more = reasons.length - MOST_REASONS;
  return [...reasons.slice(0, MOST_REASONS), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** How stock begins what it says of a failed submission. */
const SUBMIT = "failed to submit spark application";

async function carryOut(
  context: SubmissionContext,
  given: SparkApplication,
  submissionId: string,
  warn: (text: string) => void,
): Promise<void> {
  const { client, outside, settings, installations } = context;
  const configured = withSparkConf(given, { ...settings.sparkConf, ...given.spec.sparkConf });
  for (const { notice } of idleKeys(given.spec)) warn(notice);
  for (const role of ["driver", "executor"] as const) roleNotices(roleFields(given, role)).forEach(warn);
  const application = await withInstalledScheduler(withoutIdleKeys(configured), { client, installations });
  const { namespace } = application.metadata;
  const around = surroundings(application, {
    settings,
    submissionId,
    sparkApplicationId: applicationIdOf(submissionId),
  });
  for (const { object, failure } of around.objects.filter(({ when }) => when === "before-driver"))
    await asPreparation(failure, applyOwned(client, object));
  const translation = translate(around.application, { submissionId });
  const executors = executorTemplate(around.application, translation.executorTemplate);
  const isByGateway = gatewayRunsSteps(translation);
  if (!isByGateway) executors.warnings.forEach(warn);
  const { template, conf } = isByGateway ? { template: translation.executorTemplate, conf: [] } : executors;
  const request = toRequest(
    { ...translation, executorTemplate: template, conf: [...translation.conf, ...conf] },
    { steps: [webhookFields(around.application, { executors: isByGateway })], submissionId },
  );
  await submit(
    { ...request, namespace },
    {
      access: "nothing",
      client,
      installations,
      wait: false,
      outside,
      secrets: createRedactor(REDACTED),
      approve: async (_plan, gathered) => {
        if (executors.template !== undefined) await refuseBadExecutors(client, namespace, gathered, warn);
      },
      onEvent(event) {
        if (event.type === "notice") warn(withFieldNames(given, event.message));
      },
    },
  );
}

/** Whether the gateway gives executors their fields, behind all that is Spark's; otherwise their template has them. */
function gatewayRunsSteps({ conf, sparkVersion }: Translation): boolean {
  return handsStepsOver(sparkConf(Object.fromEntries(conf), { sparkVersion, env: () => undefined }));
}

function failed(message: string, warnings: readonly string[]): Attempt {
  return { kind: "done", outcome: { kind: "failed", message }, warnings };
}

async function refuseBadExecutors(
  client: KubeClient,
  namespace: string,
  gathered: Pick<Gathered, "input" | "steps">,
  warn: (text: string) => void,
): Promise<void> {
  const { fault, refusal } = await executorVerdict(client, namespace, gathered);
  if (refusal !== undefined) warn(`executors would be refused as things are now: ${harmlessText(refusal)}`);
  if (fault !== undefined)
    throw new KindlingError("OBJECT_INVALID", `no executor can be made: ${harmlessText(fault)}`, {
      hint: "correct spec.executor or its template",
    });
}

/** Puts what stock begins with before an error that is no passing one. */
async function asPreparation(failure: string, making: Promise<unknown>): Promise<void> {
  try {
    await making;
  } catch (error) {
    if (!(error instanceof Error) || isPassing(error)) throw error;
    throw new PreparationError(
      `${failure}: ${error.message}`,
      "look at the object that is named, and at the operator's rights",
    );
  }
}

async function refusal(
  { client }: SubmissionContext,
  application: SparkApplication,
  error: unknown,
  warnings: readonly string[],
): Promise<Attempt> {
  if (!(error instanceof Error)) throw error;
  if (isPassing(error)) return { kind: "unavailable", error };
  if (error instanceof PreparationError) return failed(error.message, warnings);
  if (!isConflict(kubeErrorIn(error)))
    return failed(`${SUBMIT}: failed to run spark-submit: ${textOf(error)}`, warnings);
  const isForNow = await isOccupiedForNow(client, application);
  return isForNow ? { kind: "occupied" } : failed(`${SUBMIT}: driver pod already exist`, warnings);
}

const KIND: SparkApplication["kind"] = "SparkApplication";

function textOf(error: Error): string {
  const hint = isKindlingError(error) ? error.hint : undefined;
  return hint === undefined ? error.message : `${error.message} (${inApplicationWords(hint)})`;
}

/**
 * Whether the name is an own driver's, or that of a driver that Kubernetes is about to take away: the object that it
 * belonged to had the name of this one, so it is there no more.
 */
async function isOccupiedForNow(client: KubeClient, { metadata, spec }: SparkApplication): Promise<boolean> {
  try {
    const pod = await client.get(resources.pods, driverPodName({ metadata, spec }), metadata);
    const owners = pod.metadata?.ownerReferences ?? [];
    return owners.some(({ kind, name, uid }) => uid === metadata.uid || (kind === KIND && name === metadata.name));
  } catch (error) {
    // It had the name, and has gone since: the next attempt has a free name.
    if (isNotFound(error)) return true;
    throw error;
  }
}
