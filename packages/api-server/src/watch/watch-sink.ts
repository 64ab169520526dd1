import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";

/** One event, a whole JSON text with its line end, in pieces: all watchers share the piece with the object. */
export type EventPieces = readonly Buffer[];

/** Where a watch writes its events: a streaming response, or a WebSocket. */
export interface WatchSink {
  /** Writes events; false means to wait until `onDrain`. */
  write(events: readonly EventPieces[]): boolean;
  onDrain(callback: () => void): void;
  onClose(callback: () => void): void;
  /** Ends the stream properly. */
  end(): void;
  /** Breaks the connection, because its client reads nothing, not even the end. */
  cut(): void;
}

/** Events as lines of a chunked response. */
export function responseSink(response: ServerResponse): WatchSink {
  return {
    write: (events) => writeAll(response, events.flat()),
    onDrain: (callback) => void response.on("drain", callback),
    onClose: (callback) => void response.on("close", callback),
    end: () => void response.end(),
    cut: () => void response.destroy(),
  };
}

/** Writes pieces without copying them into one; they are sent together. */
export function writeAll(stream: Writable, pieces: readonly Buffer[]): boolean {
  stream.cork();
  for (const piece of pieces) stream.write(piece);
  stream.uncork();
  return !stream.writableNeedDrain;
}
