import { createRedactor, harmlessText, isKindlingError, KindlingError, REDACTED } from "@kindling/core-spec";
import { isConflict, isNotFound, resources, type KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import {
  inApplicationWords,
  submit,
  type FindInstallation,
  type FindNamespaceLabels,
  type Gathered,
} from "@kindling/submit";
import { driverPodName, type SparkApplication } from "@kindling/spark-application";
import { withDefaults } from "@kindling/spark-application/read";
import { validateQuota } from "../../validation/quota.ts";
import { validate } from "../../validation/validate.ts";
import type { OperatorSettings } from "../../flags/operator-settings.ts";
import type { SubmissionOutcome } from "../../application-states/after-submission.ts";
import { PreparationError } from "../../resources/preparation-error.ts";
import { installedGateway } from "../../gateway/installed-gateway.ts";
import { applyOwned } from "../../resources/apply-owned.ts";
import { executorVerdict } from "./check-executor.ts";
import { withFieldNames } from "./field-names.ts";
import { isPassingFault, kubeErrorIn } from "./passing-fault.ts";
import { planRun, sparkConfOf, specNotices } from "./plan-run.ts";

export interface SubmissionContext {
  readonly client: KubeClient;
  readonly outside: Outside;
  readonly settings: OperatorSettings;
  readonly installations: FindInstallation;
  readonly namespaceLabels: FindNamespaceLabels;
}

/** How an attempt to submit ended. */
export type Attempt =
  | { readonly kind: "done"; readonly outcome: SubmissionOutcome; readonly warnings: readonly string[] }
  /** The API server did not accept it for a reason of its own: it may accept the same later. */
  | { readonly kind: "unavailable"; readonly error: Error }
  /** A driver has the name already: the next check finds it, or it is about to be deleted. */
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

/** The beginning of stock's message about a failed submission. */
const SUBMIT = "failed to submit spark application";

/** Makes the objects of a run's plan, with the driver last. */
async function carryOut(
  { client, outside, settings, installations, namespaceLabels }: SubmissionContext,
  application: SparkApplication,
  submissionId: string,
  warn: (text: string) => void,
): Promise<void> {
  const { namespace } = application.metadata;
  const entries = sparkConfOf(application, settings);
  const installed = await installedGateway({ client, installations, namespace, entries });
  specNotices(application).forEach(warn);
  const { objects, request, warnings, hasExecutorTemplate } = planRun(application, {
    ...{ settings, submissionId, installed },
  });
  warnings.forEach(warn);
  for (const { object, failure } of objects) await asPreparation(failure, applyOwned(client, object));
  await submit(
    { ...request, namespace },
    {
      access: "nothing",
      client,
      installations,
      namespaceLabels,
      wait: false,
      outside,
      secrets: createRedactor(REDACTED),
      approve: async (_plan, gathered) => {
        if (hasExecutorTemplate) await refuseBadExecutors(client, namespace, gathered, warn);
      },
      onEvent(event) {
        if (event.type === "notice") warn(withFieldNames(application, event.message));
      },
    },
  );
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

/** Puts the beginning of stock's message before an error that does not pass by itself. */
async function asPreparation(failure: string, making: Promise<unknown>): Promise<void> {
  try {
    await making;
  } catch (error) {
    if (!(error instanceof Error) || isPassingFault(error)) throw error;
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
  if (isPassingFault(error)) return { kind: "unavailable", error };
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
 * Whether the driver of this name is the application's own, or is about to be deleted by Kubernetes: it belonged to an
 * earlier object of the same name, which is gone.
 */
async function isOccupiedForNow(client: KubeClient, { metadata, spec }: SparkApplication): Promise<boolean> {
  try {
    const pod = await client.get(resources.pods, driverPodName({ metadata, spec }), metadata);
    const owners = pod.metadata?.ownerReferences ?? [];
    return owners.some(({ kind, name, uid }) => uid === metadata.uid || (kind === KIND && name === metadata.name));
  } catch (error) {
    // The driver is gone in the meantime: the next attempt finds the name free.
    if (isNotFound(error)) return true;
    throw error;
  }
}
