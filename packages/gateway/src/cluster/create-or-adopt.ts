import type { KubeObject } from "@kindling/kube-objects";
import { isNotFound, type KubeClient, type ResourceType } from "@kindling/kube";
import { withoutManagedFields } from "./upstream-types.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

export type Created = { readonly kind: "created"; readonly object: KubeObject } | Exclude<Refusal, { kind: "taken" }>;

/**
 * Creates an object once. If the object is already there, because the answer to an earlier attempt was lost, it is returned.
 */
export async function createOrAdopt(
  client: KubeClient,
  type: ResourceType<KubeObject>,
  object: KubeObject,
  isSame: (found: KubeObject) => boolean,
): Promise<Created> {
  const { namespace, name } = object.metadata;
  try {
    return created(await client.create(type, object, { namespace }));
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal.kind !== "taken") return refusal;
    const found = await readBack(client, type, namespace, name);
    if (found.kind !== "created" || isSame(found.object)) return found;
    if (found.object.metadata.deletionTimestamp !== undefined) {
      return { kind: "for-now", message: `another ${object.kind} ${name} is being deleted` };
    }
    return { kind: "final", reason: "AlreadyExists", message: refusal.message };
  }
}

async function readBack(
  client: KubeClient,
  type: ResourceType<KubeObject>,
  namespace: string | undefined,
  name: string,
): Promise<Created> {
  try {
    return created(await client.get(type, name, { namespace }));
  } catch (error) {
    // The object that had the name was deleted in the meantime.
    const message = isNotFound(error) ? `the name ${name} was taken a moment ago` : "the name is taken";
    const refusal = refusalOf(error);
    return refusal.kind === "for-now" ? refusal : { kind: "for-now", message };
  }
}

function created(object: KubeObject): Created {
  return { kind: "created", object: withoutManagedFields(object) };
}
