import type { Clock } from "@kindling/outside";
import type { StagingError } from "../errors.ts";
import type { Digest } from "../protocol/digest.ts";
import type { RetryPolicy } from "../transport/retry.ts";
import type { DownloadSource } from "./download-source.ts";

export interface DownloadOptions {
  readonly source: DownloadSource;
  /** Where the file is to be; its directory exists. */
  readonly target: string;
  /** What its bytes must be; without it only the size that the source tells is checked. */
  readonly digest?: Digest | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
  /** Most bytes that are taken, whatever the source says; default: any number. */
  readonly mostBytes?: number | undefined;
  /** Permission bits; default 0o644. */
  readonly mode?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Told of bytes that arrived; negative for those that are dropped and fetched again. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  readonly onRetry?: ((error: StagingError, waitMs: number) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}
