import type { ServerResponse } from "node:http";
import type { WatchFault } from "./faults.ts";
import { podObject, type HistoryEvent } from "./pod-history.ts";

/** One watch of the fault server, with or without faults. */
export interface WatchConnection {
  send(event: HistoryEvent): void;
  bookmark(resourceVersion: number): void;
  end(): void;
  reset(): void;
}

export function startWatchConnection(
  response: ServerResponse,
  wantsBookmarks: boolean,
  newest: number,
  fault: WatchFault | undefined,
): WatchConnection {
  let isMute = fault?.kind === "silence" || fault?.kind === "endless-line";

  function write(line: string): void {
    if (isMute || response.writableEnded) return;
    if (fault?.kind === "byte-by-byte") writeBytes(response, Buffer.from(line));
    else if (fault?.kind.startsWith("half-") === true) writeHalf(line, fault.kind);
    else response.write(line);
  }

  function writeHalf(line: string, kind: string): void {
    isMute = true;
    const bytes = Buffer.from(line);
    response.write(bytes.subarray(0, bytes.length >> 1), () => {
      if (kind === "half-then-close") response.end();
      if (kind === "half-then-reset") response.socket?.resetAndDestroy();
    });
  }

  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
  response.socket?.setNoDelay(true);
  if (fault?.kind === "close") response.end();
  if (fault?.kind === "bookmark-then-close") response.end(bookmarkLine(newest));
  if (fault?.kind === "line") response.write(`${fault.line}\n`);
  if (fault?.kind === "endless-line") response.write(Buffer.alloc(fault.bytes, "x"));
  if (fault?.kind === "error-event") {
    const status = { apiVersion: "v1", kind: "Status", status: "Failure", code: fault.code, message: "as ordered" };
    response.end(`${JSON.stringify({ type: "ERROR", object: status })}\n`);
  }

  return {
    send: ({ type, pod }) => write(`${JSON.stringify({ type, object: podObject(pod) })}\n`),
    bookmark(resourceVersion) {
      if (wantsBookmarks) write(bookmarkLine(resourceVersion));
    },
    end: () => void response.end(),
    reset: () => void response.socket?.resetAndDestroy(),
  };
}

/** As the API server writes it: in Go's JSON, a time that is not set is null. */
function bookmarkLine(resourceVersion: number): string {
  const metadata = { resourceVersion: String(resourceVersion), creationTimestamp: null };
  return `${JSON.stringify({ type: "BOOKMARK", object: { apiVersion: "v1", kind: "Pod", metadata } })}\n`;
}

/** Sends the bytes one by one, with a turn of the event loop in between. */
function writeBytes(response: ServerResponse, bytes: Buffer): void {
  let chain = Promise.resolve();
  for (const byte of bytes) {
    chain = chain.then(
      () => new Promise<void>((resolve) => response.write(Buffer.from([byte]), () => setImmediate(resolve))),
    );
  }
}
