export type { StoreConnection } from "./connection.ts";
export {
  ifPresent,
  isObjectStoreError,
  ObjectStoreError,
  type ObjectStoreErrorOptions,
  type StoreFault,
} from "./object-store-error.ts";
export type { Redact } from "./refusal-words.ts";
export type {
  BucketObject,
  NewObject,
  ObjectBody,
  ObjectBucket,
  ObjectStatus,
  ObjectVersion,
  PartsOptions,
  PutAnswer,
} from "./object-bucket.ts";
export { bytesBody } from "./bytes-body.ts";
export { MOST_PARTS, type UploadState } from "./parts-upload.ts";
export * from "./azure/index.ts";
export * from "./credential-files.ts";
export * from "./gcs/index.ts";
export * from "./s3/index.ts";
export * from "./webhdfs/index.ts";
