import { sleep } from "@kindling/outside";
import type { Digest } from "../protocol/digest.ts";
import type { CapabilityLimits } from "../protocol/v1.ts";
import type { StagingClient } from "../staging-client.ts";
import { hashFile, type HashedFile } from "./local-file.ts";
import type { ProgressTracker } from "./progress.ts";
import { uploadBlob } from "./upload-blob.ts";
import { workQueue } from "./work-queue.ts";

export interface UploadFilesOptions {
  readonly paths: readonly string[];
  /** Files that earlier attempts hashed, by path; new ones are added. */
  readonly known: Map<string, HashedFile>;
  readonly lease: string;
  readonly limits: CapabilityLimits;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
  readonly tracker: ProgressTracker;
}

// Hashing is bound by one core; two files at a time keep it busy while one of them waits for the disk.
const HASH_CONCURRENCY = 2;
// Small files are hashed faster than a question is answered: after a short wait, one question covers many files.
const ASK_AFTER_MS = 30;

/**
 * Brings all of these files to the server, in three parallel stages; each takes the results of the previous one. One
 * question covers all files that were hashed within a moment, or while the last question was under way.
 */
export async function uploadFiles(
  client: StagingClient,
  options: UploadFilesOptions,
): Promise<ReadonlyMap<string, HashedFile>> {
  const { known, lease, limits, tracker } = options;
  const failure = new AbortController();
  const signal = AbortSignal.any([failure.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const seen = new Set<Digest>();

  const hash = async ([path = ""]: readonly string[]): Promise<void> => {
    const before = known.get(path);
    const hashed = before ?? (await hashFile(path, { signal, onBytes: (bytes) => tracker.add("bytesHashed", bytes) }));
    if (before === undefined) tracker.add("filesHashed", 1);
    known.set(path, hashed);
    if (seen.has(hashed.digest)) skip(hashed);
    else {
      seen.add(hashed.digest);
      toAsk.add(hashed);
    }
  };

  const ask = async (files: readonly HashedFile[]): Promise<void> => {
    const digests = files.map(({ digest, size }) => ({ digest, size }));
    const answer = await client.missing({ lease, digests }, { signal });
    const missing = new Set(answer.missing);
    for (const file of files) {
      if (missing.has(file.digest)) toSend.add(file);
      else skip(file);
    }
  };

  const send = async ([file]: readonly HashedFile[]): Promise<void> => {
    if (file === undefined) return;
    const { oneShotBytes } = limits;
    await uploadBlob(client.connection, { file, lease, oneShotBytes, signal, onSent: (bytes) => tracker.sent(bytes) });
    tracker.add("filesSent", 1);
  };

  function skip(file: HashedFile): void {
    tracker.add("filesSkipped", 1);
    tracker.add("bytesSkipped", file.size);
  }

  const toHash = workQueue({ concurrency: HASH_CONCURRENCY, handle: hash });
  for (const path of options.paths) toHash.add(path);
  let hashing = true;
  const allHashed = toHash.close().finally(() => (hashing = false));
  const toAsk = workQueue({
    concurrency: 1,
    batch: limits.maxDigestsPerRequest,
    gather: () => (hashing ? sleep(client.connection.clock, ASK_AFTER_MS, signal) : Promise.resolve()),
    handle: ask,
  });
  const concurrency = Math.min(options.concurrency, limits.maxUploadsPerClient);
  const toSend = workQueue({ concurrency, handle: send });
  try {
    await Promise.all([
      allHashed.then(() => toAsk.close()).then(() => toSend.close()),
      toHash.failed,
      toAsk.failed,
      toSend.failed,
    ]);
  } catch (error) {
    failure.abort();
    await Promise.all([toHash.settled(), toAsk.settled(), toSend.settled()]);
    throw error;
  }
  return known;
}
