import type { KubeObject } from "@kindling/kube-objects";
import type { Entry } from "./entry.ts";
import { unsaved } from "../json/unsaved.ts";
import { GIVEN_UID, givenUid, REQUEST } from "../spark/marks.ts";

/** The object to create in the cluster for an object of a view: the driver's request, with the marks that identify it. */
export function marked(request: KubeObject, { uid, fingerprint }: Pick<Entry, "uid" | "fingerprint">): KubeObject {
  const { status: _status, metadata, ...content } = request;
  const marks = { [GIVEN_UID]: uid, ...(fingerprint === undefined ? {} : { [REQUEST]: fingerprint }) };
  return { ...content, metadata: { ...unsaved(metadata), annotations: { ...metadata.annotations, ...marks } } };
}

/**
 * Whether the object with this name is the one that should be created. Either an earlier attempt created it and the answer
 * was lost, or another gateway did for the same request of the same owner, and this gateway has not seen it yet.
 *
 * @param wanted as {@link marked} returns it
 */
export function isMadeAs(wanted: KubeObject, found: KubeObject): boolean {
  if (givenUid(found) === givenUid(wanted)) return true;
  const request = wanted.metadata.annotations?.[REQUEST];
  return request !== undefined && found.metadata.annotations?.[REQUEST] === request && haveSameOwners(found, wanted);
}

/** Whether two objects have the same owners: an object of another driver is a different object, even if it looks the same. */
export function haveSameOwners(one: KubeObject, other: KubeObject): boolean {
  return ownersOf(one).join() === ownersOf(other).join();
}

function ownersOf({ metadata: { ownerReferences = [] } }: KubeObject): string[] {
  return ownerReferences.map(({ apiVersion, kind, name, uid }) => [apiVersion, kind, name, uid].join(" ")).sort();
}
