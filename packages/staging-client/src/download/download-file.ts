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
 * verified, flushed to disk, then renamed. So the target is always complete and verified.
 *
 * Wrong bytes are fetched again once. The remains of an earlier process are continued if their version is known: by the
 * digest, or by the validator that the source gave then.
 *
 * @throws StagingError
 */
export async function downloadFile(options: DownloadOptions): Promise<DownloadedFile> {
  const present = await alreadyThere(options);
  if (present !== undefined) return present;
  const part = await openPart(options.target);
  try {
    if (options.digest === undefined && part.validator === undefined) await part.truncate(0);
    // The remains of an earlier process may themselves be wrong.
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
    // No later run would continue it.
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
    hint: "submit again: a new upload repairs the file for everybody",
  });
}

// A server may have to read the whole file. If it takes longer, it still completes the check.
const REPORT_WITHIN_MS = 30_000;

/**
 * Reports the damage to the source, which may find the cause. Without a result, the download goes on as if there was no
 * report.
 */
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

/** An init container runs again when its pod's sandbox is lost: finished downloads are not repeated. */
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
    // Absent, a link, or not readable: in any case it will be replaced.
    return undefined;
  }
}
