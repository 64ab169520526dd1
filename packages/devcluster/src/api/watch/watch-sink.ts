import type { ServerResponse } from "node:http";

/** Where a watch writes its events: a streaming response, or a WebSocket. */
export interface WatchSink {
  /** Writes events, each a whole JSON text with its line end; false means to wait until `onDrain`. */
  write(events: readonly Buffer[]): boolean;
  onDrain(callback: () => void): void;
  onClose(callback: () => void): void;
  /** Ends the stream in good order. */
  end(): void;
}

/** Events as lines of a chunked response. */
export function responseSink(response: ServerResponse): WatchSink {
  return {
    write: (events) => response.write(events.length === 1 ? events[0] : Buffer.concat(events)),
    onDrain: (callback) => void response.on("drain", callback),
    onClose: (callback) => void response.on("close", callback),
    end: () => void response.end(),
  };
}
