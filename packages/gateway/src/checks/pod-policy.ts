import type { KubeObject } from "@kindling/kube-objects";
import { SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION } from "@kindling/core-spec";
import { allowanceParts, executorPolicy, type ExecutorPolicy, parseAllowance, type PodParts } from "@kindling/steps";
import { objectAt } from "../json/fields.ts";

/**
 * The fields of an executor pod, with their paths, that are too much: the driver's pod does not have them, its allowance
 * annotation does not name them, and they are not harmless. The admission of the driver's pod allows the same to its
 * executors, and no more. Empty for a pod that is allowed. The table is in `@kindling/steps`, because submissions use it to
 * write allowances.
 *
 * @param executor as the driver asks for it, in any shape
 * @param driver as the cluster has it
 */
export function excessOf(executor: KubeObject, driver: KubeObject): string[] {
  return policyOf(driver).excessOf(partsOf(executor));
}

/**
 * The pod without a token of its service account. Kubernetes mounts one by default, but executors do not use the API server.
 * The token stays if the driver's pod has a token of the same account, or if its allowance names the account.
 *
 * @param wanted the same pod without what the gateway's own steps add; these are trusted
 */
export function withoutToken(pod: KubeObject, wanted: KubeObject, driver: KubeObject): KubeObject {
  const spec = objectAt(pod, "spec");
  const isSaid = (spec["automountServiceAccountToken"] ?? null) !== null;
  if (isSaid || spec["serviceAccountName"] !== objectAt(wanted, "spec")["serviceAccountName"]) return pod;
  if (policyOf(driver).mayHaveToken(partsOf(pod))) return pod;
  return { ...pod, spec: { ...spec, automountServiceAccountToken: false } };
}

/** A driver asks for many executors while its pod stays the same object. */
const POLICIES = new WeakMap<KubeObject, ExecutorPolicy>();

function policyOf(driver: KubeObject): ExecutorPolicy {
  const known = POLICIES.get(driver) ?? newPolicy(driver);
  POLICIES.set(driver, known);
  return known;
}

/** A driver cannot change its own annotations, so the allowance was written when its pod was created. */
function newPolicy(driver: KubeObject): ExecutorPolicy {
  const text = driver.metadata.annotations?.[SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION];
  const allowance = (text === undefined ? undefined : parseAllowance(text)) ?? {};
  return executorPolicy({ driver: partsOf(driver), allowance: allowanceParts(allowance) });
}

function partsOf({ metadata: { name, annotations }, spec }: KubeObject): PodParts {
  return { name, annotations, spec };
}
