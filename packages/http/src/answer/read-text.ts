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
  /** Whether that is all there is. */
  readonly whole: boolean;
}

/**
 * Reads an answer to its end as UTF-8.
 *
 * @throws HttpError `protocol` if it is longer than that; what broke the answer otherwise
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
 * The beginning of an answer, as much of it as comes: of an error's page nothing depends on the rest, and its status is
 * worth more than the fault of its end. The connection of a longer one is dropped. Never rejects.
 */
export async function readBeginning(response: HttpResponse, limits: ReadLimits): Promise<Beginning> {
  const { text, end } = await read(response, limits);
  return { text, whole: end === "whole" };
}

type End = "whole" | "longer" | { readonly error: unknown };

function read({ body, url }: HttpResponse, limits: ReadLimits): Promise<{ readonly text: string; readonly end: End }> {
  const { mostBytes, within } = limits;
  return new Promise((resolve) => {
    // Most answers are one chunk. Of more, each may have a single byte, and takes a hundred times that.
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
    // After its end, too: an error, with its stack, is made only where there was none.
    body.on("close", () => isOver || finish({ error: Object.assign(new Error("aborted"), { code: "ECONNRESET" }) }));
  });
}

/** Above this, a new connection is cheaper than reading what nobody wants. */
const MOST_DISCARDED_BYTES = 16 * 1024;

/** Passes over the body of an answer. A short one keeps its connection; anything else is not waited for. */
export function discardBody({ headers, body }: HttpResponse): void {
  const length = headers["content-length"];
  if (length !== undefined && Number(length) <= MOST_DISCARDED_BYTES) body.resume();
  else {
    // What has arrived already would be kept until the connection is closed.
    body.read();
    body.destroy();
  }
}
