import type { KubeObject } from "@kindling/kube-objects";
import { alreadyExists, ApiError } from "@kindling/api-server";
import type { KubeClient, ResourceType } from "@kindling/kube";
import { createOrAdopt } from "../cluster/create-or-adopt.ts";
import { UPSTREAM } from "../cluster/upstream-types.ts";
import { haveSameOwners } from "./marked.ts";
import { REQUEST } from "../spark/marks.ts";
import type { Mirror } from "./mirror.ts";

/**
 * Creates an object in the cluster while its driver waits, and shows it in the driver's view.
 *
 * @throws ApiError as the API server refuses it, or 503 if it may work later
 */
export async function makeNow(
  client: KubeClient,
  mirror: Mirror,
  object: KubeObject,
  fingerprint: string,
): Promise<KubeObject> {
  const type = mirror.type.plural === "configmaps" ? UPSTREAM.configmaps : UPSTREAM.persistentvolumeclaims;
  const made = await makeUnseen(client, type, object, fingerprint);
  mirror.seen(made);
  return mirror.shown(object.metadata.name)?.object ?? made;
}

/**
 * The same, for objects that are not shown in a view. If an equal object is there already, it is taken for this one: the
 * answer to an earlier request was lost.
 *
 * @throws ApiError as the API server refuses it, or 503 if it may work later
 */
export async function makeUnseen(
  client: KubeClient,
  type: ResourceType<KubeObject>,
  object: KubeObject,
  fingerprint: string,
): Promise<KubeObject> {
  const { plural, group } = type;
  const annotations = { ...object.metadata.annotations, [REQUEST]: fingerprint };
  const sent = { ...object, metadata: { ...object.metadata, annotations } };
  const isSame = (found: KubeObject): boolean =>
    found.metadata.annotations?.[REQUEST] === fingerprint && haveSameOwners(found, sent);
  const answer = await createOrAdopt(client, type, sent, isSame);
  switch (answer.kind) {
    case "created":
      return answer.object;
    case "quota":
      throw new ApiError(403, "Forbidden", answer.message);
    case "for-now":
      throw new ApiError(503, "ServiceUnavailable", answer.message, { retryAfterSeconds: 1 });
    case "final":
      if (answer.reason === "AlreadyExists") throw alreadyExists({ group, resource: plural }, object.metadata.name);
      throw new ApiError(answer.reason === "Invalid" ? 422 : 403, answer.reason, answer.message);
  }
}
