export * from "../credentials/index.ts";
export type { ByteRange } from "../byte-range.ts";
export { bucketAt, objectUrl, type Bucket, type BucketSettings } from "./bucket.ts";
export { listFolders, listObjects, listUploads, type ListedObject, type ListedUpload } from "./list-objects.ts";
export {
  MOST_PARTS,
  multipartUpload,
  type MultipartOptions,
  type MultipartState,
  type MultipartUpload,
  type UploadPart,
} from "./multipart-upload.ts";
export { s3Bucket } from "./s3-bucket.ts";
export { s3Client, type S3Client, type S3ClientOptions } from "./s3-client.ts";
export { bodyOf, type S3Answer, type S3Body, type S3Request } from "./s3-request.ts";
