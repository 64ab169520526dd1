import { checkDeleted } from "../answers/object-answer.ts";
import { isKubeError } from "../errors/kube-error.ts";
import { isNotFound } from "../errors/status.ts";
import type { ResourceType } from "../resource-type.ts";
import { LONGEST_PAGE_BYTES } from "../transport/answer-limits.ts";
import type { Transport } from "../transport/transport.ts";
import type { KubeClient } from "./kube-client.ts";
import { limits } from "./call-limits.ts";
import { deleteBody } from "./object-calls.ts";
import type { DeleteCollectionOptions } from "./options.ts";
import { resourcePath, withQuery } from "./request-path.ts";

/** Deletes a collection; where the server has no such call for this kind (405), object by object. */
export async function deleteCollection(
  client: KubeClient,
  transport: Transport,
  type: ResourceType,
  namespace: string | undefined,
  options: DeleteCollectionOptions,
): Promise<void> {
  const { labelSelector, fieldSelector } = options;
  const path = withQuery(resourcePath(type, { namespace }), { labelSelector, fieldSelector });
  const request = {
    method: "DELETE",
    path,
    body: deleteBody(options),
    ...limits(options),
    repeatable: "always",
  } as const;
  try {
    checkDeleted(request, await transport.send({ ...request, maxBytes: LONGEST_PAGE_BYTES }), type);
  } catch (error) {
    if (!isKubeError(error) || error.kind !== "status" || error.status !== 405) throw error;
    await deleteOneByOne(client, type, options);
  }
}

async function deleteOneByOne(client: KubeClient, type: ResourceType, options: DeleteCollectionOptions): Promise<void> {
  const { items } = await client.listAll(type, options);
  for (const { metadata } of items) {
    const { name = "", namespace } = metadata ?? {};
    try {
      await client.delete(type, name, { ...options, namespace });
    } catch (error) {
      // Somebody else has deleted it first.
      if (!isNotFound(error)) throw error;
    }
  }
}
