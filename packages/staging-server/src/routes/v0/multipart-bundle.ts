import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import type { Clock } from "@kindling/outside";
import { rateGuard, type RateLimit, TICKS_PER_WINDOW } from "@kindling/service";
import { V0_OWNER_PART, V0_RESOURCES_PART } from "@kindling/staging-client";
import { ProblemError } from "../../errors/problem-error.ts";

export interface MultipartBundle {
  /** Receives the file as it arrives. If it fails, the reading ends. */
  readonly onResources: (file: Readable) => Promise<void>;
  readonly maxFileBytes: number;
  readonly rate: RateLimit;
  readonly clock: Clock;
}

const MAX_OWNER_BYTES = 64 * 1024;
const MAX_PARTS = 8;
// Bytes that may be around the file: part headers, the owner, unknown parts.
const MAX_FRAME_BYTES = 1024 * 1024;
/** How much memory the parts around a file may take: each is kept whole until the last one has come. */
export const MULTIPART_MEMORY: number = MAX_PARTS * MAX_OWNER_BYTES;

/**
 * Reads the old fork's upload: a part `resources` and a part `resourcesOwner`, in either order. The file part has no
 * file name, and its type is not one of a file, so the parser must be told that it is a file. Otherwise the parser would
 * collect it in memory as a form field, and cut it at 1 MiB.
 *
 * In any case, `onResources` has ended when this function ends.
 *
 * @returns the text of the owner
 * @throws ProblemError `invalid-request`, `too-large`, `too-slow`, and what `onResources` rejects with
 */
export async function readMultipartBundle(request: IncomingMessage, options: MultipartBundle): Promise<string> {
  const parser = createParser(request, options.maxFileBytes);
  const parts = new BundleParts(options);
  const stopGuard = guardBody(request, options, parts.fail);
  try {
    await new Promise<void>((resolve, reject) => {
      parts.onFailure = reject;
      parts.listen(parser);
      parser.on("finish", () => resolve());
      request.on("error", parts.fail);
      request.on("close", () => {
        if (!request.complete) parts.fail(new ProblemError("incomplete-body", "the body broke off"));
      });
      request.pipe(parser);
    });
    return await parts.complete();
  } finally {
    stopGuard();
    request.unpipe(parser);
    await parts.settle();
  }
}

/** The two parts that matter, as they come. */
class BundleParts {
  onFailure: (error: unknown) => void = () => undefined;
  readonly #options: MultipartBundle;
  #owner: string | undefined;
  #file: Readable | undefined;
  #taking: Promise<void> | undefined;

  constructor(options: MultipartBundle) {
    this.#options = options;
  }

  readonly fail = (error: unknown): void => {
    // The code that receives the file has to learn that no more of it will come.
    this.#file?.destroy(error instanceof Error ? error : undefined);
    this.onFailure(error);
  };

  listen(parser: BusboyInstance): void {
    parser.on("file", (_name, file) => {
      // It may fail before a listener is added, and an error without a listener ends the process.
      file.on("error", () => undefined);
      if (this.#taking !== undefined) {
        file.resume();
        this.#malformed(`there are two parts ${V0_RESOURCES_PART}`);
        return;
      }
      const { maxFileBytes, onResources } = this.#options;
      file.on("limit", () => this.fail(new ProblemError("too-large", `the file is larger than ${maxFileBytes} bytes`)));
      this.#file = file;
      this.#taking = onResources(file);
      this.#taking.catch(this.fail);
    });
    parser.on("field", (name, value, _nameTruncated, valueTruncated) => {
      if (name !== V0_OWNER_PART) return;
      if (this.#owner !== undefined) this.#malformed(`there are two parts ${V0_OWNER_PART}`);
      if (valueTruncated) this.#malformed(`the part ${V0_OWNER_PART} is larger than ${MAX_OWNER_BYTES} bytes`);
      this.#owner = value;
    });
    parser.on("partsLimit", () => this.#malformed(`there are more than ${MAX_PARTS} parts`));
    parser.on("error", (error) => this.#malformed(error instanceof Error ? error.message : "malformed multipart body"));
  }

  async complete(): Promise<string> {
    if (this.#taking === undefined) throw new ProblemError("invalid-request", `there is no part ${V0_RESOURCES_PART}`);
    if (this.#owner === undefined) throw new ProblemError("invalid-request", `there is no part ${V0_OWNER_PART}`);
    await this.#taking;
    return this.#owner;
  }

  async settle(): Promise<void> {
    await this.#taking?.catch(() => undefined);
  }

  #malformed(detail: string): void {
    this.fail(new ProblemError("invalid-request", detail));
  }
}

/** Limits the rate and the length of the whole body, which the parser itself does not. */
function guardBody(
  request: IncomingMessage,
  { rate, clock, maxFileBytes }: MultipartBundle,
  fail: (error: unknown) => void,
): () => void {
  const guard = rateGuard(rate);
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    guard.count(chunk.length);
    bytes += chunk.length;
    if (bytes > maxFileBytes + MAX_FRAME_BYTES) fail(new ProblemError("too-large", "the body is too long"));
  };
  let cancel: () => void = () => undefined;
  const tick = (): void => {
    if (!guard.tick(request.isPaused())) fail(new ProblemError("too-slow"));
    else schedule();
  };
  function schedule(): void {
    cancel = clock.after((rate.windowSeconds * 1000) / TICKS_PER_WINDOW, tick);
  }
  request.on("data", count);
  schedule();
  return () => {
    cancel();
    request.off("data", count);
  };
}

function createParser(request: IncomingMessage, maxFileBytes: number): BusboyInstance {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type)) {
    throw new ProblemError("unsupported-media-type", "send multipart/form-data");
  }
  try {
    return new Busboy({
      headers: { ...request.headers, "content-type": type },
      isPartAFile: (name) => name === V0_RESOURCES_PART,
      fileHwm: 64 * 1024,
      limits: {
        fileSize: maxFileBytes,
        fieldSize: MAX_OWNER_BYTES,
        parts: MAX_PARTS,
        headerPairs: 32,
        headerSize: 8 * 1024,
      },
    });
  } catch (error) {
    throw new ProblemError("invalid-request", error instanceof Error ? error.message : "no multipart boundary");
  }
}
