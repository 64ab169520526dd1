export type { StoreConnection } from "./connection.ts";
export {
  ifPresent,
  isObjectStoreError,
  ObjectStoreError,
  type ObjectStoreErrorOptions,
  type StoreFault,
} from "./object-store-error.ts";
export type { Redact } from "./refusal-words.ts";
export * from "./credential-files.ts";
export * from "./s3/index.ts";
export * from "./webhdfs/index.ts";
