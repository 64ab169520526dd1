import { Readable } from "node:stream";
import type { Random } from "@kindling/outside";
import { StoreError } from "../../errors/store-error.ts";
import type { BlobReader, Ingest, IngestOptions, IngestState, SealedIngest } from "../blob-store.ts";
import type { HdfsFiles } from "./hdfs-files.ts";
import type { HdfsPaths } from "./hdfs-paths.ts";
import { hdfsReader } from "./hdfs-reader.ts";
import { openSegment, type OpenSegment } from "./hdfs-segment.ts";

export interface HdfsIngestContext {
  readonly client: HdfsFiles;
  readonly paths: HdfsPaths;
  readonly random: Random;
  readonly segmentSize: number;
  /** Makes a directory once for each process. */
  readonly ensureDirectory: (path: string) => Promise<void>;
}

interface Segment {
  readonly name: string;
  readonly size: number;
}

interface HdfsIngestState {
  readonly segments?: readonly Segment[];
}

/**
 * Bytes on their way to HDFS. They are streamed into files one after the other, which are concatenated at the end. An
 * interrupted file stays open at the name node until a lease expires, and its length is unknown. So an upload goes on
 * with a new file, and only closed files count.
 */
export async function hdfsIngest(
  context: HdfsIngestContext,
  { id, onState }: IngestOptions,
  from: IngestState,
): Promise<Ingest | undefined> {
  const { client, paths, random, segmentSize } = context;
  const folder = paths.ingestFolder(id);
  const segments = [...((from as HdfsIngestState).segments ?? [])];
  for (const { name, size } of segments) {
    if ((await client.status(`${folder}/${name}`))?.length !== size) return undefined;
  }
  let open: { readonly name: string; readonly segment: OpenSegment } | undefined;
  const closed = (): number => segments.reduce((sum, { size }) => sum + size, 0);

  async function finishSegment(): Promise<void> {
    if (open === undefined) return;
    const { name, segment } = open;
    open = undefined;
    await segment.finish();
    segments.push({ name, size: segment.size });
  }

  async function writeSome(chunks: readonly Buffer[]): Promise<void> {
    if (open === undefined) {
      await context.ensureDirectory(folder);
      const name = `${segments.length}-${random.uuid()}`;
      open = { name, segment: openSegment(client, `${folder}/${name}`) };
    }
    await open.segment.write(chunks);
    if (open.segment.size < segmentSize) return;
    await finishSegment();
    await onState?.({ segments: [...segments] }, closed());
  }

  async function drop(): Promise<void> {
    open?.segment.abort();
    open = undefined;
    // If the folder cannot be dropped now, `sweep` finds it later.
    await client.delete(folder, { recursive: true }).catch(() => undefined);
  }

  return {
    get offset() {
      return closed() + (open?.segment.size ?? 0);
    },
    write: writeSome,
    async suspend() {
      await finishSegment();
      return { segments: [...segments] };
    },
    abandon() {
      open?.segment.abort();
      return Promise.resolve();
    },
    abort: drop,
    async seal() {
      await finishSegment();
      return sealed(context, folder, segments, drop);
    },
  };
}

function sealed(
  context: HdfsIngestContext,
  folder: string,
  segments: readonly Segment[],
  drop: () => Promise<void>,
): SealedIngest {
  const { client, paths } = context;
  const size = segments.reduce((sum, each) => sum + each.size, 0);
  return {
    size,
    read: () => Promise.resolve(segmentReader(client, folder, segments)),
    async publish(digest) {
      const whole = await assemble(context, folder, segments);
      await context.ensureDirectory(paths.blobFolder(digest));
      const target = paths.blob(digest);
      if (await client.rename(whole, target)) {
        await drop();
        return "created";
      }
      const there = await client.status(target);
      await drop();
      if (there?.length === size) return "existed";
      throw new StoreError("unavailable", "HDFS did not rename a complete file");
    },
    discard: drop,
  };
}

/** @returns the path of one file with all of the bytes */
async function assemble(
  { client, random, ensureDirectory }: HdfsIngestContext,
  folder: string,
  segments: readonly Segment[],
): Promise<string> {
  const [first, ...rest] = segments.filter(({ size }) => size > 0);
  if (first === undefined) {
    const empty = `${folder}/empty-${random.uuid()}`;
    await ensureDirectory(folder);
    await client.create(empty, Buffer.alloc(0));
    return empty;
  }
  const target = `${folder}/${first.name}`;
  if (rest.length === 0) return target;
  try {
    await client.concat(
      target,
      rest.map(({ name }) => `${folder}/${name}`),
    );
    return target;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // Not all gateways can concatenate, and HDFS cannot for erasure-coded files: then the bytes are copied through this
    // server.
    const copy = `${folder}/copy-${random.uuid()}`;
    await client.create(copy, Readable.from(segmentReader(client, folder, segments)));
    return copy;
  }
}

function segmentReader(client: HdfsFiles, folder: string, segments: readonly Segment[]): BlobReader {
  async function* chunks(): AsyncGenerator<Buffer, void> {
    for (const { name, size } of segments) {
      const reader = hdfsReader(client, `${folder}/${name}`, { start: 0, end: size });
      try {
        yield* reader;
      } finally {
        await reader.close();
      }
    }
  }
  return { [Symbol.asyncIterator]: chunks, close: () => Promise.resolve() };
}
