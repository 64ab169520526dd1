import { open, unlink, type FileHandle } from "node:fs/promises";
import type { Digest } from "@kindling/staging-client";
import type { BlobReader, Ingest, SealedIngest } from "../blob-store.ts";
import { fileSystemError } from "../store-error.ts";
import type { BufferPool } from "./buffer-pool.ts";
import type { ChunkReleaser } from "./chunk-releaser.ts";
import { fileReader } from "./file-reader.ts";
import type { StepHook } from "./steps.ts";

export interface LocalIngestContext {
  readonly path: string;
  readonly pool: BufferPool;
  readonly release: ChunkReleaser;
  readonly onStep: StepHook;
  /** Moves the complete file to its place; takes over the open file. */
  publish(path: string, file: FileHandle, digest: Digest): Promise<"created" | "existed">;
  /** The ingest is over, for now or for good. */
  done(): void;
}

/** @param resumed go on with what is there; otherwise the file must not exist */
export async function localIngest(context: LocalIngestContext, resumed: boolean): Promise<Ingest | undefined> {
  const { path, onStep } = context;
  let file: FileHandle;
  let offset = 0;
  try {
    onStep("ingest-create");
    file = await open(path, resumed ? "r+" : "wx+", 0o600);
    if (resumed) offset = (await file.stat()).size;
  } catch (error) {
    if (resumed && (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw fileSystemError(error);
  }

  return {
    get offset() {
      return offset;
    },
    async write(chunks) {
      try {
        onStep("ingest-write");
        await writeAll(file, chunks, offset);
      } catch (error) {
        throw fileSystemError(error);
      }
      for (const chunk of chunks) offset += chunk.length;
      context.release(chunks);
    },
    async suspend() {
      await file.close();
      context.done();
      return {};
    },
    async abandon() {
      await file.close().catch(() => undefined);
      context.done();
    },
    seal: () => Promise.resolve(sealed(context, file, offset)),
    abort: () => drop(context, file),
  };
}

async function drop(context: LocalIngestContext, file: FileHandle): Promise<void> {
  await file.close().catch(() => undefined);
  await unlink(context.path).catch(() => undefined);
  context.done();
}

async function writeAll(file: FileHandle, chunks: readonly Buffer[], position: number): Promise<void> {
  const single = chunks.length === 1 ? chunks[0] : undefined;
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const { bytesWritten } =
    single === undefined ? await file.writev(chunks, position) : await file.write(single, 0, single.length, position);
  if (bytesWritten === total) return;
  // A disk that is about to be full takes part of it; the next write tells why.
  const rest = Buffer.concat(chunks).subarray(bytesWritten);
  await writeAll(file, [rest], position + bytesWritten);
}

function sealed(context: LocalIngestContext, file: FileHandle, size: number): SealedIngest {
  const { path, pool } = context;
  return {
    size,
    async read(): Promise<BlobReader> {
      return fileReader(await open(path, "r"), { start: 0, end: size }, pool);
    },
    async publish(digest) {
      const outcome = await context.publish(path, file, digest);
      context.done();
      return outcome;
    },
    discard: () => drop(context, file),
  };
}
