import type { KubeObject } from "@kindling/kube-objects";
import { isConflict, isKubeError, isObjectNotFound, type KubeClient } from "@kindling/kube";
import { executorContainer } from "../../spark/executor-container.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";
import { shrunkResources } from "./keeper-step.ts";

/** What became of an attempt to give back the resources of an ended executor. */
export type Shrunk =
  | { readonly kind: "shrunk" }
  /** Only what the scheduler counts: Kubernetes before 1.34 does not lower a limit of memory. */
  | { readonly kind: "requests" }
  | { readonly kind: "gone" }
  /** The cluster does not do it, for this reason. */
  | { readonly kind: "refused"; readonly message: string };

/**
 * Makes the container of an ended executor as small as possible, by an in-place resize (KEP-1287; Kubernetes 1.33 and later). The
 * pod keeps its place, and its node has the room for others at once.
 *
 * @throws KubeError if the API server does not answer, or cannot at the moment
 */
export async function shrink(client: KubeClient, pod: KubeObject): Promise<Shrunk> {
  const { name, namespace, uid } = pod.metadata;
  const { requests, limits } = shrunkResources(pod);
  const resize = async (resources: object): Promise<void> => {
    const body = { metadata: { uid }, spec: { containers: [{ name: executorContainer(pod), resources }] } };
    await client.patch(UPSTREAM.pods, name, "strategic", body, { namespace, subresource: "resize" });
  };
  const all = await refusalOf(name, () => resize({ requests, limits }));
  if (all === undefined) return { kind: "shrunk" };
  if (all.isGone) return { kind: "gone" };
  const some = await refusalOf(name, () => resize({ requests }));
  if (some === undefined) return { kind: "requests" };
  return some.isGone ? { kind: "gone" } : { kind: "refused", message: some.message };
}

interface ResizeRefusal {
  readonly isGone: boolean;
  readonly message: string;
}

async function refusalOf(name: string, act: () => Promise<void>): Promise<ResizeRefusal | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!isKubeError(error) || error.kind !== "status" || error.status === 429 || error.status >= 500) throw error;
    // Servers before 1.33 answer 404, too, because they do not know the subresource.
    const isGone = isObjectNotFound(error, UPSTREAM.pods, name) || isConflict(error);
    return { isGone, message: error.message };
  }
}
