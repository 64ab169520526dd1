import { PassThrough } from "node:stream";
import type { HdfsFiles } from "./hdfs-files.ts";

/** One file of an ingest while bytes stream into it. */
export interface OpenSegment {
  readonly size: number;
  write(chunks: readonly Buffer[]): Promise<void>;
  /** Resolves when HDFS has all of it. */
  finish(): Promise<void>;
  /** Interrupts it; the part that HDFS has is of no use. */
  abort(): void;
}

const BUFFERED_BYTES = 256 * 1024;

export function openSegment(client: HdfsFiles, path: string): OpenSegment {
  const stream = new PassThrough({ highWaterMark: BUFFERED_BYTES });
  let size = 0;
  let failure: { readonly error: unknown } | undefined;
  let wake: () => void = () => undefined;
  const created = client.create(path, stream).catch((error: unknown) => {
    failure = { error };
    wake();
    stream.destroy();
  });
  stream.on("drain", () => wake());
  // The error of the request is more useful than the error of the stream.
  stream.on("error", () => undefined);

  return {
    get size() {
      return size;
    },
    async write(chunks) {
      for (const chunk of chunks) {
        if (failure !== undefined) throw failure.error;
        size += chunk.length;
        if (stream.write(chunk)) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (failure !== undefined || !stream.writableNeedDrain) resolve();
        });
      }
      if (failure !== undefined) throw failure.error;
    },
    async finish() {
      stream.end();
      await created;
      if (failure !== undefined) throw failure.error;
    },
    abort() {
      stream.destroy(new Error("the segment was broken off"));
    },
  };
}
