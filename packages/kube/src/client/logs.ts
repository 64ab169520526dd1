import { resources } from "../resources.ts";
import type { Transport } from "../transport/transport.ts";
import type { LogOptions } from "./options.ts";
import { resourcePath, withQuery } from "./request-path.ts";

/** A container's log; read it as chunks or as lines, once. */
export interface LogStream extends AsyncIterable<Uint8Array> {
  /** Text lines without their line ends; the last one may lack its own. */
  lines(): AsyncGenerator<string, void>;
  /** Stops reading. */
  close(): void;
}

/** In characters; a longer line comes in pieces. */
const LONGEST_LINE = 4 * 1024 * 1024;

export async function openLogs(
  transport: Transport,
  namespace: string,
  pod: string,
  options: LogOptions,
): Promise<LogStream> {
  const path = withQuery(resourcePath(resources.pods, { namespace, name: pod, subresource: "log" }), {
    container: options.container,
    follow: options.follow,
    previous: options.previous,
    sinceSeconds: options.sinceSeconds,
    sinceTime: options.sinceTime,
    tailLines: options.tailLines,
    limitBytes: options.limitBytes,
    timestamps: options.timestamps,
  });
  // With `follow`, a kubelet sends nothing, not even headers, before the container's first output.
  const { signal, timeoutMs = options.follow === true ? Number.POSITIVE_INFINITY : undefined } = options;
  // The API server refuses a log request that accepts only JSON.
  const stream = await transport.open({ method: "GET", path, accept: "*/*", signal, timeoutMs, repeatable: "always" });

  async function* lines(): AsyncGenerator<string, void> {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    let rest = "";
    for await (const chunk of stream.chunks()) {
      const pieces = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = pieces.pop() ?? "";
      yield* pieces;
      if (rest.length > LONGEST_LINE) {
        yield rest;
        rest = "";
      }
    }
    rest += decoder.decode();
    if (rest !== "") yield rest;
  }

  return { [Symbol.asyncIterator]: () => stream.chunks(), lines, close: () => stream.close() };
}
