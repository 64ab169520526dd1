import { systemClock } from "@kindling/outside";
import { isStagingError, StagingError } from "../errors.ts";
import { digester, type Digest, type Digester } from "../protocol/digest.ts";
import { receive } from "../transfer/receive.ts";
import { DEFAULT_RETRY, retrying } from "../transport/retry.ts";
import { stagingFault } from "../transport/staging-fault.ts";
import type { DownloadOptions } from "./download-options.ts";
import type { DownloadPart } from "./download-source.ts";
import { unwritable, type PartFile } from "./part-file.ts";

export interface Fetched {
  readonly size: number;
  readonly digest: Digest;
}

/** Fetches until the part holds the whole file, whatever it holds at the start. */
export async function fetchIntoPart(options: DownloadOptions, part: PartFile): Promise<Fetched> {
  const clock = options.clock ?? systemClock;
  const abort = new AbortController();
  const signal = options.signal === undefined ? abort.signal : AbortSignal.any([options.signal, abort.signal]);
  // The hash covers exactly the bytes that are in the part; after a failed write it is made anew.
  let hash: Digester | undefined;
  let validator = part.validator ?? (options.digest === undefined ? undefined : `"${options.digest}"`);
  const context = {
    clock,
    random: options.random ?? Math.random,
    policy: { ...DEFAULT_RETRY, ...options.retry },
    signal: options.signal,
    onRetry: options.onRetry,
  };

  return await retrying(context, async (progress) => {
    if (hash === undefined) {
      hash = digester();
      await part.digestInto(hash, signal);
    }
    if (options.size === undefined || part.size < options.size) {
      const opened = await openAt(part.size);
      if (opened.validator !== validator) await remember(opened);
      const before = part.size;
      try {
        await transfer(opened);
      } finally {
        if (part.size > before) progress();
      }
    }
    return { size: part.size, digest: hash.digest() };
  });

  async function openAt(offset: number): Promise<DownloadPart> {
    let opened: DownloadPart;
    try {
      opened = await options.source.open(offset, validator, signal);
    } catch (error) {
      if (isStagingError(error) && error.status === 416) await restart();
      throw error;
    }
    if (opened.start === 0 && offset > 0) await restart();
    return opened;
  }

  async function remember(opened: DownloadPart): Promise<void> {
    validator = opened.validator;
    try {
      await part.remember(validator);
    } catch (error) {
      opened.body.destroy();
      throw unwritable(part.path, error);
    }
  }

  async function restart(): Promise<void> {
    options.onBytes?.(-part.size);
    await part.truncate(0);
    await part.remember(undefined);
    hash = digester();
    validator = undefined;
  }

  function tooLarge(most: number): StagingError {
    const message = `${options.source.description}: larger than the ${most} bytes that are allowed`;
    return new StagingError("too-large", message);
  }

  async function transfer({ body, size }: DownloadPart): Promise<void> {
    const running = hash;
    const limit = options.size ?? size ?? Infinity;
    const most = options.mostBytes ?? Infinity;
    let expected = part.size;
    if (Math.max(expected, size ?? 0) > most) {
      body.destroy();
      throw tooLarge(most);
    }
    const received = await receive(body, part, {
      observe(chunk) {
        expected += chunk.length;
        if (expected > most) throw tooLarge(most);
        if (expected > limit) throw new StagingError("digest", `${options.source.description}: longer than announced`);
        running?.update(chunk);
        options.onBytes?.(chunk.length);
      },
      queueLimit: () => 1024 * 1024,
    });
    body.destroy();
    if (received.outcome === "complete" && (size === undefined || part.size === size)) return;
    if (received.outcome === "failed") {
      hash = undefined;
      throw unwritable(part.path, received.error);
    }
    if (received.outcome === "refused") throw received.error;
    const error = received.outcome === "cut" ? received.error : new Error("the body ended early");
    throw isStagingError(error) ? error : networkCut(options.source.description, error);
  }
}

function networkCut(description: string, error: unknown): StagingError {
  const { fault } = stagingFault(error, { url: new URL("http://cut.invalid/") });
  return new StagingError(fault, `${description}: the connection broke`, { retryable: true, cause: error });
}
