import type { KubeObject } from "@kindling/kube-objects";
import type { Entry } from "./entry.ts";
import { unsaved } from "./unsaved.ts";
import { GIVEN_UID, givenUid, REQUEST } from "../spark/marks.ts";

/** What is made in the cluster for an object of a view: the driver's request, with the marks by which it is known again. */
export function marked(request: KubeObject, { uid, fingerprint }: Pick<Entry, "uid" | "fingerprint">): KubeObject {
  const { status: _status, metadata, ...content } = request;
  const marks = { [GIVEN_UID]: uid, ...(fingerprint === undefined ? {} : { [REQUEST]: fingerprint }) };
  return { ...content, metadata: { ...unsaved(metadata), annotations: { ...metadata.annotations, ...marks } } };
}

/**
 * Whether what has the name is what was to be made: by an attempt whose answer was lost, or by another gateway, which had
 * the same request of the same owner and whose work this one has not seen yet.
 *
 * @param wanted as {@link marked} gives it
 */
export function isMadeAs(wanted: KubeObject, found: KubeObject): boolean {
  if (givenUid(found) === givenUid(wanted)) return true;
  const request = wanted.metadata.annotations?.[REQUEST];
  return request !== undefined && found.metadata.annotations?.[REQUEST] === request && haveSameOwners(found, wanted);
}

/** Whether two objects belong to the same: what another driver has asked for is another object, however alike it is. */
export function haveSameOwners(one: KubeObject, other: KubeObject): boolean {
  return ownersOf(one).join() === ownersOf(other).join();
}

function ownersOf({ metadata: { ownerReferences = [] } }: KubeObject): string[] {
  return ownerReferences.map(({ apiVersion, kind, name, uid }) => [apiVersion, kind, name, uid].join(" ")).sort();
}
