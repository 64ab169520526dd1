import { confType } from "@kindling/core-spec";
import { seconds, sizeBytes, text, type Setting } from "@kindling/service/settings";
import { S3_PLACE_KEYS, type S3PlaceSettings } from "@kindling/stores";

/** The settings of `s3`. Sizes are bytes, durations seconds. */
export interface S3Settings extends S3PlaceSettings {
  readonly "store.s3.partSize": number;
  readonly "store.s3.spoolPath": string | undefined;
  readonly "store.s3.redirect": boolean;
  readonly "store.s3.redirectExpiry": number;
}

export const S3_KEYS: { readonly [Key in keyof S3Settings]: Setting<S3Settings[Key]> } = {
  ...S3_PLACE_KEYS,
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
    type: confType.boolean,
    default: "true",
    doc: "Whether downloads are answered with a redirect to a presigned URL, if the client accepts one.",
  },
  "store.s3.redirectExpiry": { type: seconds, default: "15min", doc: "How long a presigned URL works." },
};
