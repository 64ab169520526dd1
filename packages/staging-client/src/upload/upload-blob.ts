import { isStagingError } from "../errors.ts";
import { problemName } from "../protocol/problem.ts";
import { v1Paths } from "../protocol/v1-paths.ts";
import { retryContext, type StagingConnection } from "../staging-client.ts";
import { retrying } from "../transport/retry.ts";
import { sendBlobRequest, type BlobUpload } from "./blob-request.ts";
import { changedFile, hashFile, openHashed, type SendableFile } from "./local-file.ts";
import { appendToResource, createResource, refreshResource, type UploadResource } from "./upload-resource.ts";

/**
 * Sends one file, resuming where it was cut, until the server has all of it and has verified its digest.
 *
 * @throws StagingError
 */
export async function uploadBlob(connection: StagingConnection, upload: BlobUpload): Promise<void> {
  try {
    await uploadOnce(connection, upload);
  } catch (error) {
    if (!isStagingError(error) || error.fault !== "digest") throw error;
    // Either the file changed unnoticed, or bytes were corrupted on the way, which may happen once.
    const now = await hashFile(upload.file.path, { signal: upload.signal });
    if (now.digest !== upload.file.digest) throw changedFile(upload.file.path);
    await uploadOnce(connection, upload);
  }
}

async function uploadOnce(connection: StagingConnection, upload: BlobUpload): Promise<void> {
  const file = await openHashed(upload.file);
  try {
    const inOneRequest = upload.file.size <= upload.oneShotBytes && (await putBlob(connection, upload, file));
    if (!inOneRequest) await uploadInParts(connection, upload, file);
  } finally {
    await file.close();
  }
}

/** @returns whether the blob is there; if not, a proxy in between accepts only smaller bodies */
async function putBlob(connection: StagingConnection, upload: BlobUpload, file: SendableFile): Promise<boolean> {
  const { digest, size } = upload.file;
  return await retrying(retryContext(connection, upload.signal), async () => {
    const counter = sentCounter(upload.onSent);
    try {
      await sendBlobRequest(connection, upload, {
        method: "PUT",
        path: v1Paths.blob(digest, upload.lease),
        headers: { "content-type": "application/octet-stream" },
        body: size === 0 ? Buffer.alloc(0) : { length: size, open: () => file.read(0, size) },
        onSent: counter.add,
      });
      return true;
    } catch (error) {
      counter.at(0);
      if (isBodyLimit(error)) return false;
      throw error;
    }
  });
}

// A proxy that limits bodies says so with a bare 413. nginx's default is 1 MiB; below a quarter of that, give up.
const APPEND_LIMITS = [64, 8, 1, 0.25].map((mebibytes) => mebibytes * 1024 * 1024);
// The server loses an upload when it is restarted without its disk, or when the upload expires. More often than this is a
// fault.
const MAX_LOST = 2;
// Each time another client has made progress; but a server that contradicts itself must not cause an endless loop.
const MAX_OVERTAKEN = 8;

async function uploadInParts(connection: StagingConnection, upload: BlobUpload, file: SendableFile): Promise<void> {
  const { size } = upload.file;
  const counter = sentCounter(upload.onSent);
  let resource: UploadResource | undefined;
  let lost = 0;
  let overtaken = 0;
  let inStep = true;

  await retrying(retryContext(connection, upload.signal), async (progress) => {
    while (resource?.complete !== true) {
      try {
        if (resource === undefined) resource = await createResource(connection, upload);
        else if (!inStep) {
          const before = resource.offset;
          await refreshResource(connection, upload, resource);
          if (resource.offset > before) progress();
        }
        inStep = true;
        counter.at(resource.offset);
        if (!resource.complete) await appendToResource(connection, upload, file, resource, counter.add);
        progress();
      } catch (error) {
        inStep = false;
        if (!canGoOn(error)) throw error;
      }
    }
  });

  /** Whether the upload can go on at once, perhaps from another place or with smaller pieces. */
  function canGoOn(error: unknown): boolean {
    if (!isStagingError(error) || resource === undefined) return false;
    if (isBodyLimit(error)) {
      const current = Math.min(resource.appendLimit, size - resource.offset);
      const smaller = APPEND_LIMITS.find((limit) => limit < current);
      if (smaller === undefined) return false;
      resource.appendLimit = smaller;
      return true;
    }
    const problem = problemName(error.problem?.type ?? "");
    // Another client that sends the same file has got further; a request to the server shows how far.
    if (problem === "completed-upload" || problem === "inconsistent-length") return ++overtaken <= MAX_OVERTAKEN;
    if (error.fault === "gone" || error.fault === "not-found") {
      resource = undefined;
      return ++lost <= MAX_LOST;
    }
    return error.problem?.["expected-offset"] !== undefined;
  }
}

/** Keeps the reported number of sent bytes equal to the server's offset. */
interface SentCounter {
  readonly add: (bytes: number) => void;
  /** The server has this much. */
  readonly at: (offset: number) => void;
}

function sentCounter(onSent: (bytes: number) => void): SentCounter {
  let reported = 0;
  const add = (bytes: number): void => {
    reported += bytes;
    if (bytes !== 0) onSent(bytes);
  };
  return { add, at: (offset) => add(offset - reported) };
}

/** A 413 without a problem document comes from a proxy, not from the staging server. */
function isBodyLimit(error: unknown): boolean {
  return isStagingError(error) && error.status === 413 && error.problem === undefined;
}
