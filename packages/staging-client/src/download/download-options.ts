import type { Clock } from "@kindling/outside";
import type { StagingError } from "../errors.ts";
import type { Digest } from "../protocol/digest.ts";
import type { RetryPolicy } from "../transport/retry.ts";
import type { DownloadSource } from "./download-source.ts";

export interface DownloadOptions {
  readonly source: DownloadSource;
  /** The path for the file; its directory exists. */
  readonly target: string;
  /** The digest of the right bytes; without it, only the size that the source reports is checked. */
  readonly digest?: Digest | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
  /** Most bytes that are accepted, whatever the source says; default: no limit. */
  readonly mostBytes?: number | undefined;
  /** Permission bits; default 0o644. */
  readonly mode?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Called with the number of bytes that arrived; negative for bytes that are dropped and fetched again. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  readonly onRetry?: ((error: StagingError, waitMs: number) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}
