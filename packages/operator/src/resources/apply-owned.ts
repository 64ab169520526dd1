import { type KubeObjectLike, isAlreadyExists, type KubeClient } from "@kindling/kube";
import { KindlingError } from "@kindling/core-spec";

const FIELD_MANAGER = "kindling-operator";

/**
 * Makes an object that an application owns, or updates the one that exists.
 *
 * @throws KindlingError `OBJECT_CONFLICT` if an object of this name belongs to something else; KubeError
 */
export async function applyOwned<T extends KubeObjectLike>(client: KubeClient, object: T): Promise<T> {
  const { apiVersion = "", kind = "", metadata = {} } = object;
  const type = await client.resourceFor(apiVersion, kind);
  try {
    return (await client.create(type, object)) as T;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const { name = "", namespace } = metadata;
  const found = await client.get(type, name, { namespace });
  const owner = metadata.ownerReferences?.[0]?.uid;
  if (found.metadata?.ownerReferences?.some(({ uid }) => uid === owner) !== true)
    throw new KindlingError(
      "OBJECT_CONFLICT",
      `${kind} ${namespace}/${name} is there already and belongs to something else`,
      {
        hint: "remove or rename it, or rename the application",
      },
    );
  return (await client.apply(type, object, { fieldManager: FIELD_MANAGER, force: true })) as T;
}
