import { confType } from "@kindling/core-spec";
import { text, type Setting } from "@kindling/service/settings";

/** Where a bucket of S3 is. */
export interface S3PlaceSettings {
  readonly "store.s3.endpoint": string | undefined;
  readonly "store.s3.region": string;
  readonly "store.s3.bucket": string | undefined;
  readonly "store.s3.prefix": string;
  readonly "store.s3.pathStyle": boolean;
  readonly "store.s3.credentialsFile": string | undefined;
}

export const S3_PLACE_KEYS: { readonly [Key in keyof S3PlaceSettings]: Setting<S3PlaceSettings[Key]> } = {
  "store.s3.endpoint": {
    type: text,
    default: undefined,
    doc: "URI of an S3-compatible server; unset: AWS, by region.",
  },
  "store.s3.region": { type: text, default: "us-east-1", doc: "Region that requests are signed for." },
  "store.s3.bucket": { type: text, default: undefined, doc: "Bucket; it must exist." },
  "store.s3.prefix": { type: confType.text, default: "", doc: "Prefix of all keys in the bucket." },
  "store.s3.pathStyle": {
    type: confType.boolean,
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
};
