import type { ApplicationMeta } from "../spark-application.ts";
import { fields, map, orElse, required, text, time, whole, type Shape } from "../shapes/shape.ts";

/** For an object without metadata, which an API server never serves. */
export const EMPTY_META: ApplicationMeta = {
  name: "",
  namespace: "",
  uid: "",
  generation: 0,
  resourceVersion: "",
  creationTimestamp: "1970-01-01T00:00:00Z",
  labels: {},
  annotations: {},
};

export const META: Shape<ApplicationMeta> = fields<ApplicationMeta>({
  name: required(text(), EMPTY_META.name),
  namespace: required(text(), EMPTY_META.namespace),
  uid: required(text(), EMPTY_META.uid),
  generation: required(whole(64), EMPTY_META.generation),
  resourceVersion: required(text(), EMPTY_META.resourceVersion),
  creationTimestamp: required(time(), EMPTY_META.creationTimestamp),
  deletionTimestamp: time(),
  labels: orElse(map(text()), EMPTY_META.labels),
  annotations: orElse(map(text()), EMPTY_META.annotations),
});
