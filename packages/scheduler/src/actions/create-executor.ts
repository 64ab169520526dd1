import { messageOf } from "@kindling/core-spec";
import { isKubeError, isConflict, resources, type KubeError } from "@kindling/kube";
import type { OwnerReference } from "kubernetes-types/meta/v1.js";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { ExecutorResources } from "../claims/executor-claim.ts";
import { APPLICATION_LABEL, EXECUTOR_ID_LABEL } from "../executor-pod/labels.ts";
import type { CreateOutcome } from "./create-outcome.ts";
import type { KubeExecutorPodsOptions } from "./kube-executor-pods-options.ts";

type Options = Omit<KubeExecutorPodsOptions, "applicationId" | "build">;

/**
 * Creates the pod of an executor, and then the claims that it needs. Claims from the pool replace new ones.
 *
 * @param build an error that it throws counts as a refusal
 */
export async function createExecutor(options: Options, build: () => ExecutorResources): Promise<CreateOutcome> {
  const { client, namespace, claimPool } = options;
  let executor: ExecutorResources;
  try {
    const planned = build();
    executor = claimPool?.substitute(planned) ?? planned;
  } catch (error) {
    return { kind: "refused", message: messageOf(error) };
  }
  let pod: Pod;
  try {
    pod = await createPod(options, executor);
  } catch (error) {
    return failed(error, () => claimPool?.release(executor));
  }
  try {
    await createClaims(options, executor, pod);
  } catch (error) {
    // A pod without its claims would stay pending for ever.
    await client.delete(resources.pods, pod.metadata?.name ?? "", { namespace }).catch(() => undefined);
    return failed(error, () => claimPool?.release(executor));
  }
  return { kind: "created", claims: executor.claims.length };
}

async function createPod(options: Options, executor: ExecutorResources): Promise<Pod> {
  const { client, namespace } = options;
  try {
    return await client.create(resources.pods, executor.pod, { namespace });
  } catch (error) {
    // An earlier attempt may have created exactly this pod, if its answer was lost.
    const isOwn = isKubeError(error) && isConflict(error) && error.mayHaveHappened;
    const found = isOwn ? await existing(options, executor) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

/** The existing pod with this name, if it is the executor that should be created. */
async function existing({ client, namespace }: Options, { pod }: ExecutorResources): Promise<Pod | undefined> {
  const found = await client.get(resources.pods, pod.metadata?.name ?? "", { namespace });
  const own = pod.metadata?.labels ?? {};
  const labels = found.metadata?.labels ?? {};
  return [APPLICATION_LABEL, EXECUTOR_ID_LABEL].every((label) => labels[label] === own[label]) ? found : undefined;
}

async function createClaims(
  { client, namespace, claimOwner }: Options,
  { claims }: ExecutorResources,
  pod: Pod,
): Promise<void> {
  const owner = claimOwner ?? ownerReferenceOf(pod);
  for (const claim of claims) {
    const metadata = { ...claim.metadata, ownerReferences: [owner] };
    await client.create(resources.persistentvolumeclaims, { ...claim, metadata }, { namespace });
  }
}

/** If the pod may exist after an error, the outcome is `unknown`. */
function failed(error: unknown, onRefused: () => void): CreateOutcome {
  if (isKubeError(error) && error.mayHaveHappened && !isAnswer(error))
    return { kind: "unknown", message: error.message };
  onRefused();
  return { kind: "refused", message: messageOf(error) };
}

/**
 * Whether the API server has refused the request. Then a pod of this name, whatever happened before, is not the requested
 * one.
 */
function isAnswer(error: KubeError): boolean {
  return error.kind === "status" && error.status < 500;
}

function ownerReferenceOf({ metadata: { name = "", uid = "" } = {} }: Pod): OwnerReference {
  return { apiVersion: "v1", kind: "Pod", name, uid, controller: true };
}
