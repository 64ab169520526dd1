import type { ObjectMeta } from "@kindling/kube-objects";

/** The metadata of an object that is to be created: without fields that only the server sets. */
export function unsaved(metadata: ObjectMeta): ObjectMeta {
  const {
    uid: _uid,
    resourceVersion: _version,
    creationTimestamp: _created,
    generation: _generation,
    generateName: _generated,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    ...own
  } = metadata;
  return own as ObjectMeta;
}
