import type { Clock } from "@kindling/outside";
import type { RequestAttempt, RetryPolicy } from "../transport/transport-options.ts";

export interface KubeClientOptions {
  /** Namespace of calls that name none; default: the access's, else `default`. */
  readonly namespace?: string | undefined;
  /** Value of `User-Agent`. */
  readonly userAgent?: string | undefined;
  /** Time to a ready connection, TLS and proxy included; default 10 s, `Infinity` for no limit. */
  readonly connectTimeoutMs?: number | undefined;
  /** Time of one attempt from its start to the end of its answer (for streams: to the headers); default 30 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** How many requests may be under way at once, streams aside; further ones wait. Default 64. */
  readonly maxInFlight?: number | undefined;
  /** How many requests a second may be sent, repetitions included, after a burst; default: any number. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number } | undefined;
  /** Default: 4 repetitions from 100 ms, at most 5 s apart. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly clock?: Clock | undefined;
  /** Uniform in [0, 1), for jitter. */
  readonly random?: (() => number) | undefined;
  /** Told of each request that was sent, for metrics. */
  readonly onAttempt?: ((attempt: RequestAttempt) => void) | undefined;
}

export interface CallOptions {
  /** Used if the object does not name one itself. */
  readonly namespace?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface GetOptions extends CallOptions {
  readonly subresource?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

export interface WriteOptions extends CallOptions {
  readonly subresource?: string | undefined;
  readonly fieldManager?: string | undefined;
  /** Validate and answer, but store nothing. */
  readonly dryRun?: boolean | undefined;
  /** What the server does about unknown and duplicate fields; its own default is `Warn`. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take over fields from other managers instead of failing with 409. */
  readonly force?: boolean | undefined;
}

export type PatchKind = "json" | "merge" | "strategic";

export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

export interface DeleteOptions extends CallOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: PropagationPolicy | undefined;
  /** Delete only exactly this object, or only in this state; otherwise 409. */
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface Selection {
  readonly namespace?: string | undefined;
  /** All namespaces instead of one. */
  readonly allNamespaces?: boolean | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface DeleteCollectionOptions extends DeleteOptions, Selection {}

/**
 * What a list may cost before it fails because it seems endless. The defaults are enough for the largest clusters (150,000
 * pods; Kubernetes documentation, "Considerations for large clusters").
 */
export interface ListLimits {
  /** Objects of all pages; default 1,000,000. */
  readonly items: number;
  /** Pages; default: the number for `items` objects at this page size, and 100 more for pages that are not full. */
  readonly pages: number;
  /** Bytes of all pages as the server sends them; default 16 GiB. */
  readonly bytes: number;
  /** Bytes of one page; default 256 MiB. */
  readonly pageBytes: number;
  /** Time that is spent waiting for the server, all pages together; default 15 minutes. */
  readonly milliseconds: number;
}

export interface ListOptions extends Selection {
  readonly signal?: AbortSignal | undefined;
  /** For each page. */
  readonly timeoutMs?: number | undefined;
  /** Objects a page; default 500. */
  readonly pageSize?: number | undefined;
  readonly limits?: Partial<ListLimits> | undefined;
  /** Absent: the newest state. `"0"`: the state in the server's cache, which is cheaper and perhaps old. */
  readonly resourceVersion?: string | undefined;
}

export interface WatchOptions extends Selection {
  readonly signal?: AbortSignal | undefined;
  /** Where to start: of a list or an event. Absent: the current objects come as ADDED first. */
  readonly resourceVersion?: string | undefined;
  /** After how long the server must end the stream; default random between 240 and 480 s. */
  readonly timeoutSeconds?: number | undefined;
  /** The connection counts as dead after this time without events; bookmarks come about once a minute. Default 180 s. */
  readonly idleTimeoutMs?: number | undefined;
  /** Longest event accepted; default 16 MiB. */
  readonly maxEventBytes?: number | undefined;
  /** Called when the server has accepted the watch: it will send everything that happens after that. */
  readonly onOpen?: (() => void) | undefined;
}

export interface LogOptions extends CallOptions {
  readonly container?: string | undefined;
  readonly follow?: boolean | undefined;
  /** The log of the container's previous instance. */
  readonly previous?: boolean | undefined;
  readonly sinceSeconds?: number | undefined;
  /** RFC 3339. */
  readonly sinceTime?: string | undefined;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  /** Put the time before each line. */
  readonly timestamps?: boolean | undefined;
}
