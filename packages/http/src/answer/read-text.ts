import type { Clock } from "@kindling/outside";
import { connectionFault } from "../errors/connection-fault.ts";
import { httpError } from "../errors/http-error.ts";
import type { HttpResponse } from "../transport/http-request.ts";
import { chunkQueue, type ChunkQueue } from "./chunk-queue.ts";

export interface ReadLimits {
  readonly mostBytes: number;
  /** How long the reading may take as a whole; default: as long as bytes come. */
  readonly within?: { readonly clock: Clock; readonly milliseconds: number } | undefined;
}

export interface Beginning {
  readonly text: string;
  /** Whether this is the whole text. */
  readonly whole: boolean;
}

/**
 * Reads an answer to its end as UTF-8.
 *
 * @throws HttpError `protocol` if it is too long; otherwise the error that interrupted the answer
 */
export async function readText(response: HttpResponse, limits: ReadLimits): Promise<string> {
  const { text, end } = await read(response, limits);
  if (end === "whole") return text;
  const { origin } = response.url;
  if (end === "longer") {
    const words = `the answer is longer than ${limits.mostBytes} bytes`;
    throw httpError({ kind: "protocol" }, origin, words, { mayHaveArrived: true });
  }
  throw connectionFault(end.error, origin, true);
}

/**
 * The beginning of an answer, as much of it as arrives. It is for pages of errors: the rest does not matter, and the
 * status is more useful than an error at the end of the page. If the answer is longer, its connection is closed. Never
 * rejects.
 */
export async function readBeginning(response: HttpResponse, limits: ReadLimits): Promise<Beginning> {
  const { text, end } = await read(response, limits);
  return { text, whole: end === "whole" };
}

type End = "whole" | "longer" | { readonly error: unknown };

function read({ body, url }: HttpResponse, limits: ReadLimits): Promise<{ readonly text: string; readonly end: End }> {
  const { mostBytes, within } = limits;
  return new Promise((resolve) => {
    // Most answers are one chunk. If there are more, each may have a single byte, but takes a hundred times that in
    // memory.
    let first: Buffer | undefined;
    let more: ChunkQueue | undefined;
    const late = (): void => {
      const milliseconds = within?.milliseconds ?? 0;
      const words = `the answer did not end within ${Math.round(milliseconds / 1000)} s`;
      body.destroy(
        httpError({ kind: "timeout", phase: "whole", milliseconds }, url.origin, words, { retryable: true }),
      );
    };
    const cancel = within === undefined ? undefined : within.clock.after(within.milliseconds, late);
    let isOver = false;
    const finish = (end: End): void => {
      if (isOver) return;
      isOver = true;
      cancel?.();
      body.off("data", take);
      const bytes = first === undefined || more === undefined ? first : Buffer.concat([first, ...more.take()]);
      resolve({ text: bytes?.toString("utf8") ?? "", end });
    };
    const take = (chunk: Buffer): void => {
      const room = mostBytes - (first?.length ?? 0) - (more?.bytes ?? 0);
      const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
      if (first === undefined) first = part;
      else (more ??= chunkQueue()).add(part);
      if (chunk.length <= room) return;
      finish("longer");
      body.destroy();
    };
    body.on("data", take);
    body.on("end", () => finish("whole"));
    body.on("error", (error) => finish({ error }));
    // This also comes after the end: an error, with its stack, is made only if the answer was not complete.
    body.on("close", () => isOver || finish({ error: Object.assign(new Error("aborted"), { code: "ECONNRESET" }) }));
  });
}

/** Above this, a new connection is cheaper than reading an unwanted body. */
const MOST_DISCARDED_BYTES = 16 * 1024;

/** Discards the body of an answer. A short body is read, so that the connection can be used again; otherwise it is closed. */
export function discardBody({ headers, body }: HttpResponse): void {
  const length = headers["content-length"];
  if (length !== undefined && Number(length) <= MOST_DISCARDED_BYTES) body.resume();
  else {
    // Otherwise bytes that were received are kept for a while, each chunk with some hundred bytes beside its own: with Node 26,
    // `read` alone frees them too late.
    body.resume();
    body.destroy();
  }
}
