import type { HttpResponse } from "@kindling/http";
import type { Readable } from "node:stream";
import type { ByteRange } from "./byte-range.ts";
import type { MultipartUpload, UploadState } from "./parts-upload.ts";

/** Marks one state of an object: an entity tag, or a generation. Opaque. */
export type ObjectVersion = string;

/** Bytes that can be sent again and again. */
export interface ObjectBody {
  /** In bytes. */
  readonly length: number;
  /** The hash that the bucket's `checksum` names, hexadecimal: the store refuses other bytes. */
  readonly hash: string;
  /** A new stream for each attempt. */
  open(): Readable;
}

export interface NewObject {
  readonly body: ObjectBody | Buffer;
  readonly contentType?: string | undefined;
  /** Names in lower case, of letters and dashes. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** What must be there now: this version, or no object (`{ version: undefined }`); `undefined`: anything. */
  readonly expect?: { readonly version: ObjectVersion | undefined } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PutAnswer {
  /** `undefined`: nothing was written, because something else than expected is there. */
  readonly version: ObjectVersion | undefined;
  /** How often the request was sent: if more than once, an earlier attempt may have succeeded. */
  readonly attempts: number;
}

export interface ObjectStatus {
  readonly size: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface BucketObject {
  readonly key: string;
  readonly size: number;
  readonly version: ObjectVersion;
  /** Milliseconds since the epoch, by the server's clock. */
  readonly modified: number;
}

export interface PartsOptions {
  readonly key: string;
  /** The size of all parts except the last one, in bytes. */
  readonly partSize: number;
  /** How many parts may be on their way. */
  readonly atOnce: number;
  readonly from?: UploadState | undefined;
  /** Whether these credentials may read: then the size of the whole object is checked at the end. */
  readonly mayRead: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The objects of one bucket or container, whatever store it is in. After a write or a deletion, every read and every
 * listing shows it. All methods reject with an `ObjectStoreError`.
 */
export interface ObjectBucket {
  /** For messages, such as `the bucket jobs at storage.googleapis.com`. */
  readonly name: string;
  /** The hash of bodies that this store checks; `undefined` if it checks none. */
  readonly checksum: "sha256" | "md5" | undefined;
  /** `undefined` if there is no such object; the next two do the same. */
  stat(key: string): Promise<ObjectStatus | undefined>;
  open(key: string, range: ByteRange): Promise<HttpResponse | undefined>;
  readText(key: string): Promise<{ readonly text: string; readonly version: ObjectVersion } | undefined>;
  put(key: string, object: NewObject): Promise<PutAnswer>;
  /** It is no error if the object does not exist. */
  delete(key: string): Promise<void>;
  /** All objects below a prefix. */
  list(prefix: string): AsyncIterable<BucketObject>;
  /** The names directly below a prefix that have something below them. */
  folders(prefix: string): Promise<readonly string[]>;
  /** An upload in parts. Its object appears only when it is complete. */
  multipart(options: PartsOptions): MultipartUpload<ObjectBody>;
  /** Whether objects can be listed. */
  probe(prefix: string): Promise<void>;
  /** The time by the server's clock, milliseconds since the epoch. */
  serverTime(): number;
  /**
   * Implement this if parts of unfinished uploads are no objects, and stay until somebody drops them.
   *
   * @param isStray whether an upload to this key that began at this time is to be dropped
   */
  readonly dropUploads?: (prefix: string, isStray: (key: string, since: number) => boolean) => Promise<void>;
  /** Implement this if a folder stays when its last object is deleted. Does nothing if it is not empty. */
  readonly dropFolder?: (path: string) => Promise<void>;
  /** Implement this if the credentials can make a URL that anybody can GET for a while. */
  readonly presign?: (key: string, expiresInSeconds: number) => Promise<URL>;
}
