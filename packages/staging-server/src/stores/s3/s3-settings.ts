import { confType } from "@kindling/core-spec";
import { seconds, sizeBytes, text, type Setting } from "@kindling/service/settings";

const { boolean } = confType;

/** The settings of `s3`. Sizes are bytes, durations seconds. */
export interface S3Settings {
  readonly "store.s3.endpoint": string | undefined;
  readonly "store.s3.region": string;
  readonly "store.s3.bucket": string | undefined;
  readonly "store.s3.prefix": string;
  readonly "store.s3.pathStyle": boolean;
  readonly "store.s3.credentialsFile": string | undefined;
  readonly "store.s3.partSize": number;
  readonly "store.s3.spoolPath": string | undefined;
  readonly "store.s3.redirect": boolean;
  readonly "store.s3.redirectExpiry": number;
}

export const S3_KEYS: { readonly [Key in keyof S3Settings]: Setting<S3Settings[Key]> } = {
  "store.s3.endpoint": {
    type: text,
    default: undefined,
    doc: "URI of an S3-compatible server; unset: AWS, by region.",
  },
  "store.s3.region": { type: text, default: "us-east-1", doc: "Region that requests are signed for." },
  "store.s3.bucket": { type: text, default: undefined, doc: "Bucket; it must exist." },
  "store.s3.prefix": { type: confType.text, default: "", doc: "Prefix of all keys in the bucket." },
  "store.s3.pathStyle": {
    type: boolean,
    default: "true",
    doc: "Whether the bucket is part of the path and not of the host name.",
  },
  "store.s3.credentialsFile": {
    type: text,
    default: undefined,
    doc:
      "Properties file with `accessKeyId`, `secretAccessKey` and perhaps `sessionToken`. It is read again when it " +
      "changes. Unset: the same credentials as AWS's own tools, which are `AWS_ACCESS_KEY_ID` and similar variables, " +
      "a profile of the shared files, a web identity (`AWS_WEB_IDENTITY_TOKEN_FILE`), the container's credentials " +
      "(`AWS_CONTAINER_CREDENTIALS_FULL_URI`), or the machine's role.",
  },
  "store.s3.partSize": {
    type: confType.checked(sizeBytes, (value) => value >= 5 * 1024 * 1024, "a size of at least 5m"),
    default: "16m",
    doc: "Size of the parts of a multipart upload. A file can have 10 000 of them.",
  },
  "store.s3.spoolPath": {
    type: text,
    default: undefined,
    doc: "Folder for parts on their way to S3, at most three for each upload; unset: the system's temporary folder.",
  },
  "store.s3.redirect": {
    type: boolean,
    default: "true",
    doc: "Whether downloads are answered with a redirect to a presigned URL, if the client accepts one.",
  },
  "store.s3.redirectExpiry": { type: seconds, default: "15min", doc: "How long a presigned URL works." },
};
