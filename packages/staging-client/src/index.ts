export type { Authorization, Caller } from "./caller/caller.ts";
export { insecureUris } from "./caller/credential-route.ts";
export { connectStaging, type ConnectOptions } from "./connect.ts";
export * from "./download/index.ts";
export {
  isStagingError,
  STAGING_FAULTS,
  StagingError,
  type StagingErrorOptions,
  type StagingFault,
  type StagingFaultEntry,
} from "./errors.ts";
export * from "./protocol/index.ts";
export type { BundleSelection, CallOptions, StagingClient, StagingConnection } from "./staging-client.ts";
export { rateMeter, type RateMeter } from "./transfer/rate-meter.ts";
export { receive, type ByteSink, type Received, type ReceiveOptions } from "./transfer/receive.ts";
export { quotedAnswer, readRefusal, readWhole } from "./transport/read-body.ts";
export { DEFAULT_RETRY, retrying, type RetryContext, type RetryPolicy } from "./transport/retry.ts";
export {
  stagingTransport,
  type AnswerOptions,
  type DocumentLimits,
  type StagingTransport,
} from "./transport/staging-transport.ts";
export { hashFile, type HashedFile } from "./upload/local-file.ts";
export type { UploadProgress } from "./upload/progress.ts";
export {
  uploadBundle,
  type FileToUpload,
  type UploadBundleOptions,
  type UploadedBundle,
} from "./upload/upload-bundle.ts";
export { submitResources, type SubmitResourcesOptions } from "./v0/submit-resources.ts";
