import type { HttpTransport } from "@kindling/http";
import type { ObjectBucket } from "@kindling/object-store";
import type { Outside } from "@kindling/outside";

/** What a place is opened with. */
export interface PlaceContext extends Pick<Outside, "clock" | "random" | "env"> {
  /** The connections to the store; the caller closes it. */
  readonly transport: HttpTransport;
  /** The program, as logs of the store name it: `kindling-staging`. */
  readonly program: string;
}

/** A bucket, and the part of it that a program uses. */
export interface BucketPlace {
  readonly bucket: ObjectBucket;
  /** Of all keys. */
  readonly prefix: string;
  /** What to check if the bucket cannot be used. */
  readonly hint: string;
}
