import { systemClock } from "@kindling/outside";
import { isStagingError } from "../errors.ts";
import { digester, type Digest } from "../protocol/digest.ts";
import { DEFAULT_RETRY, retrying } from "../transport/retry.ts";
import type { DownloadOptions } from "./download-options.ts";
import type { DownloadPart } from "./download-source.ts";
import type { Fetching } from "./fetching.ts";
import { unwritable, type PartFile } from "./part-file.ts";
import { transferPart } from "./transfer-part.ts";

export interface Fetched {
  readonly size: number;
  readonly digest: Digest;
}

/** Fetches until the part holds the whole file, from whatever it holds at the start. */
export async function fetchIntoPart(options: DownloadOptions, part: PartFile): Promise<Fetched> {
  const abort = new AbortController();
  const fetching: Fetching = {
    options,
    part,
    signal: options.signal === undefined ? abort.signal : AbortSignal.any([options.signal, abort.signal]),
    hash: undefined,
    validator: part.validator ?? (options.digest === undefined ? undefined : `"${options.digest}"`),
  };
  const context = {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    policy: { ...DEFAULT_RETRY, ...options.retry },
    signal: options.signal,
    onRetry: options.onRetry,
  };
  return await retrying(context, (progress) => fetchRest(fetching, progress));
}

/** @param progress called when bytes have arrived, even if it fails later */
async function fetchRest(fetching: Fetching, progress: () => void): Promise<Fetched> {
  const { options, part, signal } = fetching;
  if (fetching.hash === undefined) {
    fetching.hash = digester();
    await part.digestInto(fetching.hash, signal);
  }
  if (options.size === undefined || part.size < options.size) {
    const opened = await openAt(fetching, part.size);
    if (opened.validator !== fetching.validator) await remember(fetching, opened);
    const before = part.size;
    try {
      await transferPart(fetching, opened);
    } finally {
      if (part.size > before) progress();
    }
  }
  return { size: part.size, digest: fetching.hash.digest() };
}

async function openAt(fetching: Fetching, offset: number): Promise<DownloadPart> {
  const { options, validator, signal } = fetching;
  let opened: DownloadPart;
  try {
    opened = await options.source.open(offset, validator, signal);
  } catch (error) {
    if (isStagingError(error) && error.status === 416) await restart(fetching);
    throw error;
  }
  if (opened.start === 0 && offset > 0) await restart(fetching);
  return opened;
}

async function remember(fetching: Fetching, opened: DownloadPart): Promise<void> {
  const { part } = fetching;
  fetching.validator = opened.validator;
  try {
    await part.remember(opened.validator);
  } catch (error) {
    opened.body.destroy();
    throw unwritable(part.path, error);
  }
}

async function restart(fetching: Fetching): Promise<void> {
  const { options, part } = fetching;
  options.onBytes?.(-part.size);
  await part.truncate(0);
  await part.remember(undefined);
  fetching.hash = digester();
  fetching.validator = undefined;
}
