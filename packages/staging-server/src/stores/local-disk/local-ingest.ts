import { open, unlink, type FileHandle } from "node:fs/promises";
import type { Clock } from "@kindling/outside";
import type { Digest } from "@kindling/staging-client";
import { fileSystemError } from "../../errors/store-error.ts";
import type { ChunkReleaser } from "../../memory/chunk-releaser.ts";
import type { BlobReader, Ingest, SealedIngest } from "../blob-store.ts";
import type { BufferPool } from "./buffer-pool.ts";
import { fileReader } from "./file-reader.ts";
import { NoPlainFileError, openPlainFile } from "./plain-file.ts";
import type { StepHook } from "./steps.ts";

export interface LocalIngestContext {
  readonly path: string;
  readonly pool: BufferPool;
  readonly clock: Clock;
  readonly release: ChunkReleaser;
  readonly onStep: StepHook;
  /** Moves the complete file to its place; the open file then belongs to the callee. */
  publish(path: string, file: FileHandle, digest: Digest): Promise<"created" | "existed">;
  /** The ingest is over, for now or for good. */
  done(): void;
}

/** @param resumed whether to go on with the existing file; otherwise the file must not exist */
export async function localIngest(context: LocalIngestContext, resumed: boolean): Promise<Ingest | undefined> {
  const { path, onStep } = context;
  let file: FileHandle | undefined;
  let offset = 0;
  try {
    onStep("ingest-create");
    file = resumed ? await openPlainFile(path, "read-write") : await open(path, "wx+", 0o600);
    if (resumed) offset = (await file.stat()).size;
  } catch (error) {
    await letGo(context, file);
    if (resumed && isLost(error)) return undefined;
    throw fileSystemError(error);
  }
  const opened = file;

  return {
    get offset() {
      return offset;
    },
    async write(chunks) {
      try {
        onStep("ingest-write");
        await writeAll(opened, chunks, offset);
      } catch (error) {
        throw fileSystemError(error);
      }
      for (const chunk of chunks) offset += chunk.length;
      context.release(chunks);
    },
    async suspend() {
      await letGo(context, opened);
      return {};
    },
    abandon: () => letGo(context, opened),
    seal: () => Promise.resolve(sealed(context, opened, offset)),
    abort: () => drop(context, opened),
  };
}

/** Whether the file is missing, or is not the file that was written. */
function isLost(error: unknown): boolean {
  return error instanceof NoPlainFileError || (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** The bytes stay. Even a close that fails closes the file, and the size shows which bytes were not written. */
async function letGo(context: LocalIngestContext, file: FileHandle | undefined): Promise<void> {
  await file?.close().catch(() => undefined);
  context.done();
}

async function drop(context: LocalIngestContext, file: FileHandle): Promise<void> {
  await unlink(context.path).catch(() => undefined);
  await letGo(context, file);
}

async function writeAll(file: FileHandle, chunks: readonly Buffer[], position: number): Promise<void> {
  const single = chunks.length === 1 ? chunks[0] : undefined;
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const { bytesWritten } =
    single === undefined ? await file.writev(chunks, position) : await file.write(single, 0, single.length, position);
  if (bytesWritten === total) return;
  // A disk that is nearly full writes only a part; the next write reports the reason.
  const rest = Buffer.concat(chunks).subarray(bytesWritten);
  await writeAll(file, [rest], position + bytesWritten);
}

function sealed(context: LocalIngestContext, file: FileHandle, size: number): SealedIngest {
  const { path, pool, clock } = context;
  return {
    size,
    async read(): Promise<BlobReader> {
      try {
        return fileReader(await open(path, "r"), { start: 0, end: size }, pool, clock);
      } catch (error) {
        throw fileSystemError(error);
      }
    },
    async publish(digest) {
      const outcome = await context.publish(path, file, digest);
      context.done();
      return outcome;
    },
    keep: () => letGo(context, file),
    discard: () => drop(context, file),
  };
}
