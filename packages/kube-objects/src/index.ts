export { type Defined, defined, isObject, type Json, jsonEqual, type JsonObject } from "./json.ts";
export {
  type Condition,
  controllerReference,
  type KubeObject,
  objectKey,
  type ObjectMeta,
  type OwnerReference,
} from "./kube-object.ts";
export type { KubeObjectLike, ObjectMetaLike } from "./kube-object-like.ts";
export { apiVersionOf, qualifiedResource, type ResourceAddress, type ResourceName } from "./resource-address.ts";
export type { Status, StatusCause, StatusDetails } from "./status.ts";
export { canonicalTime, formatMicroTime, formatTime } from "./time.ts";
