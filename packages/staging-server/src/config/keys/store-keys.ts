import { confType } from "@kindling/core-spec";
import { seconds, sizeBytes, text, type KeysOf } from "../server-key.ts";

const { boolean, list, oneOf } = confType;

/** Where files are kept. */
export const STORE_KEYS: KeysOf<"store" | "scrub"> = {
  "store.kind": {
    type: oneOf("local-disk", "s3", "webhdfs"),
    default: "local-disk",
    doc: "Where files are kept. With `s3` and `webhdfs` any number of servers may share them.",
  },
  "store.path": { type: text, default: "/var/lib/kindling-staging", doc: "Data folder of `local-disk`." },
  "store.minFree": {
    type: sizeBytes,
    default: "1g",
    doc: "Space that is left free on the volume of `local-disk`; what is below it is for deletions only.",
  },
  "store.damagedBytes": {
    type: sizeBytes,
    default: "1g",
    doc:
      "How much of damaged files, and of damaged documents of each kind, is kept in the folder `damaged` of " +
      "`local-disk` for somebody to look into; the oldest go first. It is in nobody's quota.",
  },
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
    doc: "Put the bucket into the path instead of the host name.",
  },
  "store.s3.credentialsFile": {
    type: text,
    default: undefined,
    doc:
      "Properties file with `accessKeyId`, `secretAccessKey` and perhaps `sessionToken`, read again when it changes; " +
      "unset: `AWS_ACCESS_KEY_ID` and its like, a web identity (`AWS_WEB_IDENTITY_TOKEN_FILE`), or the container's " +
      "credentials (`AWS_CONTAINER_CREDENTIALS_FULL_URI`).",
  },
  "store.s3.partSize": {
    type: confType.checked(sizeBytes, (value) => value >= 5 * 1024 * 1024, "a size of at least 5m"),
    default: "16m",
    doc: "Size of the parts of a multipart upload. A file can have 10 000 of them.",
  },
  "store.s3.spoolPath": {
    type: text,
    default: undefined,
    doc: "Folder for parts that are on their way to S3, at most three of them for each upload; unset: the system's.",
  },
  "store.s3.redirect": {
    type: boolean,
    default: "true",
    doc: "Answer downloads with a redirect to a presigned URL, if the client accepts one.",
  },
  "store.s3.redirectExpiry": { type: seconds, default: "15min", doc: "How long a presigned URL works." },
  "store.webhdfs.endpoints": {
    type: list,
    default: "",
    doc: "URIs of the name nodes' HTTP servers or of HttpFS; the first that is active is used.",
  },
  "store.webhdfs.path": { type: text, default: "/kindling-staging", doc: "Folder in HDFS." },
  "store.webhdfs.user": { type: text, default: undefined, doc: "Value of `user.name`, where HDFS has no security." },
  "store.webhdfs.tokenFile": {
    type: text,
    default: undefined,
    doc: "File with a delegation token, read again when it changes.",
  },
  "store.webhdfs.basicAuthFile": {
    type: text,
    default: undefined,
    doc: "File with `user:password` for a gateway such as Knox, read again when it changes.",
  },
  "store.webhdfs.dataHosts": {
    type: list,
    default: "*",
    doc: "Hosts that a name node may send this server to; `*` stands for any characters.",
  },
  "store.webhdfs.segmentSize": {
    type: confType.checked(sizeBytes, (value) => value >= 1024 * 1024, "a size of at least 1m"),
    default: "128m",
    doc: "How much of an upload is at most lost when this server is killed.",
  },

  "scrub.interval": {
    type: seconds,
    default: "7d",
    doc:
      "How often every file of `local-disk` is read again to find those that the disk has damaged; 0: never. S3 and " +
      "HDFS see to that themselves.",
  },
  "scrub.rate": {
    type: confType.checked(sizeBytes, (value) => value > 0, "a size above 0"),
    default: "16m",
    doc: "Bytes a second that this takes at most; a quarter of it while files are being sent or fetched.",
  },
};
