import type { KubeObject } from "@kindling/kube-objects";
import { SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION } from "@kindling/core-spec";
import { allowanceParts, executorPolicy, type ExecutorPolicy, parseAllowance, type PodParts } from "@kindling/steps";
import { objectAt } from "../json/fields.ts";

/**
 * What an executor pod has that the driver's pod has not, that the allowance on that pod does not say, and that is not
 * harmless by its kind, each with its path. Whoever let the driver's pod in has allowed the same to its executors, and no
 * more. Empty for a pod that is allowed. The table is in `@kindling/steps`, since submissions write allowances by it.
 *
 * @param executor as the driver asks for it, in any shape
 * @param driver as the cluster has it
 */
export function excessOf(executor: KubeObject, driver: KubeObject): string[] {
  return policyOf(driver).excessOf(partsOf(executor));
}

/**
 * The pod without a token of its account, which Kubernetes mounts unless it is told not to: executors ask the API server
 * for nothing. One of the account that the driver's pod has a token of, or of one that its allowance names, keeps it.
 *
 * @param wanted the same without what the gateway's own steps add; they know what they do
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

/** A driver cannot change its own annotations, so that whoever made its pod has written the allowance. */
function newPolicy(driver: KubeObject): ExecutorPolicy {
  const text = driver.metadata.annotations?.[SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION];
  const allowance = (text === undefined ? undefined : parseAllowance(text)) ?? {};
  return executorPolicy({ driver: partsOf(driver), allowance: allowanceParts(allowance) });
}

function partsOf({ metadata: { name, annotations }, spec }: KubeObject): PodParts {
  return { name, annotations, spec };
}
