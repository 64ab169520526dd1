import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { systemClock } from "@kindling/outside";
import { isStagingError, StagingError } from "../errors.ts";
import { digester, type Digest } from "../protocol/digest.ts";
import type { DownloadOptions } from "./download-options.ts";
import { fetchIntoPart, type Fetched } from "./fetch-into-part.ts";
import { openPart, type PartFile } from "./part-file.ts";

export interface DownloadedFile {
  /** `present`: the target was there already with the right bytes, and nothing was fetched. */
  readonly outcome: "fetched" | "present";
  readonly size: number;
  readonly digest: Digest;
}

/**
 * Downloads one file: into a `.part` beside the target, resuming after any cut (also that of an earlier process),
 * verified, flushed to disk, then renamed. Whoever sees the target sees all of it, verified.
 *
 * Bytes that turn out wrong are fetched anew once. What an earlier process left is gone on with where its version is
 * known: by the digest, or by the validator that the source gave then.
 *
 * @throws StagingError
 */
export async function downloadFile(options: DownloadOptions): Promise<DownloadedFile> {
  const present = await alreadyThere(options);
  if (present !== undefined) return present;
  const part = await openPart(options.target);
  try {
    if (options.digest === undefined && part.validator === undefined) await part.truncate(0);
    // What an earlier process left may be wrong by itself.
    const resumed = part.size > 0;
    let fetched = await fetchIntoPart(options, part);
    if (!isRight(options, fetched)) {
      if (!resumed && (await isDamagedAtSource(options))) await giveUp(part, damagedAtSource(options));
      options.onBytes?.(-part.size);
      await part.truncate(0);
      fetched = await fetchIntoPart(options, part);
      if (!isRight(options, fetched)) {
        const damaged = resumed && (await isDamagedAtSource(options));
        await giveUp(part, damaged ? damagedAtSource(options) : wrongTwice(options));
      }
    }
    await part.seal(options.mode ?? 0o644);
    await part.publish();
    return { outcome: "fetched", ...fetched };
  } catch (error) {
    // No later run would go on with it.
    if (isStagingError(error) && error.fault === "too-large") await part.discard().catch(() => undefined);
    throw error;
  } finally {
    await part.close();
  }
}

function isRight({ digest, size }: DownloadOptions, fetched: Fetched): boolean {
  return (digest === undefined || digest === fetched.digest) && (size === undefined || size === fetched.size);
}

async function giveUp(part: PartFile, error: StagingError): Promise<never> {
  await part.discard();
  throw error;
}

function wrongTwice({ source }: DownloadOptions): StagingError {
  return new StagingError("digest", `${source.description}: the bytes are not the ones announced, twice`, {
    hint: "the file was changed or damaged where it is stored",
  });
}

function damagedAtSource({ source }: DownloadOptions): StagingError {
  return new StagingError("digest", `${source.description}: the file is damaged where it is stored`, {
    hint: "submit again: as soon as the file is uploaded anew, it is whole for everybody",
  });
}

// A server may have to read the whole file; one that takes longer looks at it all the same.
const REPORT_WITHIN_MS = 30_000;

/** Tells the source, which may find what is wrong. Whatever comes of it, the download goes on as if nobody had asked. */
async function isDamagedAtSource({ source, signal, clock = systemClock }: DownloadOptions): Promise<boolean> {
  if (source.reportDamage === undefined) return false;
  const late = new AbortController();
  const cancel = clock.after(REPORT_WITHIN_MS, () => late.abort());
  try {
    return await source.reportDamage(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
  } catch {
    return false;
  } finally {
    cancel();
  }
}

/** An init container is run again when its pod's sandbox is lost: what it did then is not done twice. */
async function alreadyThere(options: DownloadOptions): Promise<DownloadedFile | undefined> {
  if (options.digest === undefined) return undefined;
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(options.target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile() || (options.size !== undefined && stats.size !== options.size)) return undefined;
      const hash = digester();
      for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
        hash.update(chunk as Buffer);
      }
      const digest = hash.digest();
      return digest === options.digest ? { outcome: "present", size: stats.size, digest } : undefined;
    } finally {
      await file.close();
    }
  } catch {
    // Not there, or a link, or not readable: whatever it is, it will be replaced.
    return undefined;
  }
}
