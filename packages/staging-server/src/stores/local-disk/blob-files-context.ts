import { lstat } from "node:fs/promises";
import type { Stats } from "node:fs";
import type { Clock } from "@kindling/outside";
import type { Digest } from "@kindling/staging-client";
import { fileSystemError } from "../../errors/store-error.ts";
import { oneByOne, type OneByOne } from "./one-by-one.ts";
import { isSealed } from "./blob-seal.ts";
import type { Layout } from "./layout.ts";
import { isAbsent } from "./replace-blob.ts";
import type { StepHook } from "./steps.ts";
import { verifiedBlobs, type VerifiedBlobs } from "./verified-blobs.ts";

export interface BlobFilesOptions {
  readonly layout: Layout;
  readonly clock: Clock;
  readonly onStep: StepHook;
  /** Rejects if another process has taken the folder over. */
  readonly confirm: () => Promise<void>;
  /** How many published blobs may wait for their flush, each with an open file. */
  readonly mostUnflushed: number;
}

/** The files of blobs, and what only this process knows about them. */
export interface BlobFilesContext extends Omit<BlobFilesOptions, "clock"> {
  readonly flushing: Map<Digest, Promise<void>>;
  readonly verified: VerifiedBlobs;
  /** Files that are good although they cannot be sealed. */
  readonly trusted: Set<Digest>;
  /** The inodes of damaged files that could not be moved. */
  readonly stuck: Map<Digest, number>;
  /** Blobs that were published again: their earlier files may still be there. */
  readonly replaced: Set<Digest>;
  /** Runs changes of a blob's name one after the other. */
  readonly alone: OneByOne;
}

export function blobFilesContext({ clock, ...given }: BlobFilesOptions): BlobFilesContext {
  return {
    ...given,
    flushing: new Map(),
    verified: verifiedBlobs(clock),
    trusted: new Set(),
    stuck: new Map(),
    replaced: new Set(),
    alone: oneByOne(),
  };
}

export async function statBlob({ layout, stuck }: BlobFilesContext, digest: Digest): Promise<Stats | undefined> {
  try {
    const stats = await lstat(layout.blob(digest));
    return stats.isFile() && stuck.get(digest) !== stats.ino ? stats : undefined;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw fileSystemError(error);
  }
}

export function hasSeal({ layout }: BlobFilesContext, stats: Stats): boolean {
  return isSealed(stats, layout.oldSealsUntil);
}

/** Whether a blob's file is on disk for good. */
export function isDurable(context: BlobFilesContext, digest: Digest, stats: Stats): boolean {
  return hasSeal(context, stats) || (context.trusted.has(digest) && context.verified.isSame(digest, stats));
}
