import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import type { BundleOwner } from "../lifecycle/owner-watch.ts";
import { isOwner, type SeenObject } from "./seen-object.ts";

/** The objects that a watch knows, to be found by the bundles that they own. */
export interface SeenObjects {
  replace(objects: readonly SeenObject[]): void;
  put(object: SeenObject): void;
  remove(uid: string): void;
  ownersOf(subject: BundleOwner): SeenObject[];
}

/** Looks through one application's objects only where the labels name one: a namespace may have thousands of pods. */
export function seenObjects(): SeenObjects {
  let byUid = new Map<string, SeenObject>();
  let byApplication = new Map<string, Set<SeenObject>>();

  function remove(uid: string): void {
    const object = byUid.get(uid);
    if (object === undefined) return;
    byUid.delete(uid);
    const id = object.metadata.labels[SPARK_APP_ID_LABEL] ?? "";
    const others = byApplication.get(id);
    others?.delete(object);
    if (others?.size === 0) byApplication.delete(id);
  }

  function put(object: SeenObject): void {
    remove(object.metadata.uid);
    byUid.set(object.metadata.uid, object);
    const id = object.metadata.labels[SPARK_APP_ID_LABEL] ?? "";
    const others = byApplication.get(id) ?? new Set();
    byApplication.set(id, others.add(object));
  }

  return {
    replace(objects) {
      byUid = new Map();
      byApplication = new Map();
      for (const object of objects) put(object);
    },
    put,
    remove,
    ownersOf(subject) {
      const id = subject.owner.ownerLabels[SPARK_APP_ID_LABEL];
      const bound = byUid.get(subject.uid ?? "");
      const labelled = id === undefined ? byUid.values() : (byApplication.get(id) ?? []);
      const owners = new Set([...labelled].filter((object) => isOwner(object, subject)));
      return bound === undefined ? [...owners] : [...owners.add(bound)];
    },
  };
}
