import type { Pod } from "@kindling/core-spec";
import { isKubeError, resources, type KubeClient } from "@kindling/kube";
import { planExecutor, type DrawnByDriver, type Gathered } from "@kindling/submit";

/** Stands for values that only the driver will have, in forms that an API server accepts. */
const DRAWN: DrawnByDriver = {
  id: "0000000000000000",
  podIp: "127.0.0.1",
  podUid: "00000000-0000-0000-0000-000000000000",
  secret: "check",
};

/** What the API server says about an executor; both are absent if it would accept the executor or does not say. */
export interface ExecutorVerdict {
  /** The API server will never accept such an executor. */
  readonly fault?: string;
  /** It would be refused as things are now: a quota, limits, a policy, an account that is not there. */
  readonly refusal?: string;
}

/**
 * Asks the API server whether the executors of an application can be made, without making one: a fault then shows in the
 * application's status, and not in the log of a driver that makes executors in vain. The request holds the pod that the
 * driver will make, since a template alone may need what Spark adds, such as its volumes.
 *
 * @param gathered what the submission is planned from
 */
export async function executorVerdict(
  client: KubeClient,
  namespace: string,
  gathered: Pick<Gathered, "input" | "steps">,
): Promise<ExecutorVerdict> {
  const pod = firstExecutor(gathered);
  if (pod === undefined) return {};
  const { metadata, spec } = pod;
  const { ownerReferences: _owners, name: _name, ...kept } = metadata ?? {};
  const sample = { ...pod, metadata: { ...kept, generateName: "executor-check-" }, spec };
  try {
    await client.create(resources.pods, sample, { namespace, dryRun: true });
    return {};
  } catch (error) {
    if (!isKubeError(error) || error.kind !== "status") return {};
    const { status, serverMessage } = error;
    // Webhooks deny with any of these codes, and their answer may change later.
    const isInvalid = (status === 422 || status === 400) && !serverMessage.includes("denied the request");
    if (isInvalid) return { fault: serverMessage };
    return status === 403 || status === 422 || status === 400 ? { refusal: serverMessage } : {};
  }
}

/** @returns undefined if it cannot be computed: then the driver itself reports what is wrong */
function firstExecutor({ input, steps }: Pick<Gathered, "input" | "steps">): Pod | undefined {
  try {
    return planExecutor(input, steps, DRAWN).objects.find(isPod);
  } catch {
    return undefined;
  }
}

function isPod(object: { readonly kind?: string }): object is Pod {
  return object.kind === "Pod";
}
