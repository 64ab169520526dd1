import { ByteReader, MalformedError, type Texts } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";

/** Where an executor keeps its files (`ExecutorShuffleInfo`). */
export interface ExecutorFiles {
  readonly localDirs: readonly string[];
  readonly subDirsPerLocalDir: number;
  readonly shuffleManager: string;
}

/**
 * A set of shuffle blocks. `reduceIds` has the lists of all maps one after the other, and `reduceCounts` the length of each
 * list. If `isBatch`, a list has two numbers: the first partition, and the one after the last.
 */
export interface ShuffleBlocks {
  readonly shuffleId: number;
  readonly mapIds: BigInt64Array;
  readonly reduceIds: Int32Array;
  readonly reduceCounts: Int32Array;
  readonly isBatch: boolean;
}

/** Texts that are walked once, one after the other. */
export type TextList = Iterable<string> & { readonly length: number };

interface OfExecutor {
  readonly application: string;
  readonly executor: string;
}

/** The messages inside of RPCs (`BlockTransferMessage`). `List` is how lists of texts are there: as read, or in any way to write. */
export type BlockMessage<List extends TextList = Texts> =
  | (OfExecutor & { readonly kind: "open-blocks"; readonly blockIds: List })
  | (OfExecutor & { readonly kind: "register-executor"; readonly files: ExecutorFiles })
  | { readonly kind: "stream-handle"; readonly streamId: bigint; readonly chunks: number }
  | (OfExecutor & { readonly kind: "remove-blocks"; readonly blockIds: List })
  | { readonly kind: "blocks-removed"; readonly count: number }
  | (OfExecutor & { readonly kind: "fetch-shuffle-blocks"; readonly blocks: ShuffleBlocks })
  | { readonly kind: "get-local-dirs"; readonly application: string; readonly executors: List }
  | { readonly kind: "local-dirs"; readonly dirs: ReadonlyMap<string, readonly string[]> }
  | (OfExecutor & {
      readonly kind: "diagnose-corruption";
      readonly shuffleId: number;
      readonly mapId: bigint;
      readonly reduceId: number;
      readonly checksum: bigint;
      readonly algorithm: string;
    })
  /** `cause` is a number of `CAUSES`. */
  | { readonly kind: "corruption-cause"; readonly cause: number }
  /** Merging of pushed blocks. */
  | { readonly kind: "merge"; readonly message: MergeMessage; readonly application: string }
  /** A message that Spark's service can read, and answers with a failure. */
  | { readonly kind: "unexpected"; readonly name: string }
  | { readonly kind: "unknown"; readonly type: number };

export type MergeMessage =
  | "FinalizeShuffleMerge"
  | "FetchShuffleBlockChunks"
  | "PushBlockStream"
  | "RemoveShuffleMerge";

/** A machine has fewer disks. */
const MOST_LOCAL_DIRS = 1_000;

const MERGE: Readonly<Record<number, MergeMessage>> = {
  12: "PushBlockStream",
  13: "FinalizeShuffleMerge",
  15: "FetchShuffleBlockChunks",
  19: "RemoveShuffleMerge",
};
const UNEXPECTED: Readonly<Record<number, string>> = {
  1: "UploadBlock",
  6: "UploadBlockStream",
  14: "MergeStatuses",
  18: "BlockPushReturnCode",
};

/**
 * Reads the body of an RPC.
 *
 * Source: `common/network-shuffle/.../protocol/BlockTransferMessage.java` and the classes of the messages, Spark 3.5.9 and
 * 4.1.1.
 *
 * @throws MalformedError if the content is too short, or lists do not fit together
 */
export function decodeBlockMessage(body: Buffer): BlockMessage {
  const reader = new ByteReader(body);
  const type = reader.byte();
  switch (type) {
    case 0:
      return { kind: "open-blocks", ...ofExecutor(reader), blockIds: reader.texts() };
    case 2:
      return { kind: "register-executor", ...ofExecutor(reader), files: executorFiles(reader) };
    case 3:
      return { kind: "stream-handle", streamId: reader.long(), chunks: reader.int() };
    case 7:
      return { kind: "remove-blocks", ...ofExecutor(reader), blockIds: reader.texts() };
    case 8:
      return { kind: "blocks-removed", count: reader.int() };
    case 9:
      return { kind: "fetch-shuffle-blocks", ...ofExecutor(reader), blocks: shuffleBlocks(reader) };
    case 10:
      return { kind: "get-local-dirs", application: reader.text(), executors: reader.texts() };
    case 11:
      return { kind: "local-dirs", dirs: localDirs(reader) };
    case 16:
      return {
        kind: "diagnose-corruption",
        ...ofExecutor(reader),
        shuffleId: reader.int(),
        mapId: reader.long(),
        reduceId: reader.int(),
        checksum: reader.long(),
        algorithm: reader.text(),
      };
    case 17:
      return { kind: "corruption-cause", cause: reader.byte() };
    default:
      return otherMessage(type, reader);
  }
}

function otherMessage(type: number, reader: ByteReader): BlockMessage {
  const merge = MERGE[type];
  if (merge !== undefined) return { kind: "merge", message: merge, application: reader.text() };
  const name = UNEXPECTED[type];
  if (name !== undefined) return { kind: "unexpected", name };
  return { kind: "unknown", type };
}

function ofExecutor(reader: ByteReader): OfExecutor {
  return { application: reader.text(), executor: reader.text() };
}

function executorFiles(reader: ByteReader): ExecutorFiles {
  const dirs = reader.texts();
  if (dirs.length > MOST_LOCAL_DIRS) throw new MalformedError(`${dirs.length} local directories`);
  return { localDirs: [...dirs], subDirsPerLocalDir: reader.int(), shuffleManager: reader.text() };
}

function shuffleBlocks(reader: ByteReader): ShuffleBlocks {
  const shuffleId = reader.int();
  const mapIds = reader.longs();
  const { values: reduceIds, counts: reduceCounts } = reader.intLists();
  const isBatch = reader.boolean();
  if (mapIds.length === 0 || mapIds.length !== reduceCounts.length) {
    throw new MalformedError(`${mapIds.length} maps with ${reduceCounts.length} lists of partitions`);
  }
  if (isBatch && !reduceCounts.every((count) => count === 2)) {
    throw new MalformedError("a batch without a first and a last partition");
  }
  return { shuffleId, mapIds, reduceIds, reduceCounts, isBatch };
}

function localDirs(reader: ByteReader): ReadonlyMap<string, readonly string[]> {
  const executors = [...reader.texts()];
  const counts = reader.ints();
  const all = [...reader.texts()];
  let start = 0;
  return new Map(
    executors.map((executor, index) => {
      const end = start + (counts[index] ?? 0);
      const dirs = all.slice(start, end);
      start = end;
      return [executor, dirs];
    }),
  );
}

/** A message that can be written. */
export type WrittenMessage = Exclude<BlockMessage<TextList>, { kind: "merge" | "unexpected" | "unknown" }>;

/** The body of an RPC or of its answer: the inverse of {@link decodeBlockMessage}. */
export function encodeBlockMessage(message: WrittenMessage): Buffer {
  const writer = new ByteWriter();
  switch (message.kind) {
    case "open-blocks":
      return writer.byte(0).text(message.application).text(message.executor).texts(message.blockIds).written();
    case "register-executor": {
      const { localDirs: dirs, subDirsPerLocalDir, shuffleManager } = message.files;
      writer.byte(2).text(message.application).text(message.executor);
      return writer.texts(dirs).int(subDirsPerLocalDir).text(shuffleManager).written();
    }
    case "stream-handle":
      return writer.byte(3).long(message.streamId).int(message.chunks).written();
    case "remove-blocks":
      return writer.byte(7).text(message.application).text(message.executor).texts(message.blockIds).written();
    case "blocks-removed":
      return writer.byte(8).int(message.count).written();
    case "fetch-shuffle-blocks": {
      const { shuffleId, mapIds, reduceIds, reduceCounts, isBatch } = message.blocks;
      writer.byte(9).text(message.application).text(message.executor).int(shuffleId).longs(mapIds);
      return writer.intLists(reduceIds, reduceCounts).boolean(isBatch).written();
    }
    case "get-local-dirs":
      return writer.byte(10).text(message.application).texts(message.executors).written();
    case "local-dirs": {
      const dirs = [...message.dirs.values()];
      writer.byte(11).texts([...message.dirs.keys()]);
      return writer
        .ints(dirs.map(({ length }) => length))
        .texts(dirs.flat())
        .written();
    }
    case "diagnose-corruption":
      writer.byte(16).text(message.application).text(message.executor).int(message.shuffleId).long(message.mapId);
      return writer.int(message.reduceId).long(message.checksum).text(message.algorithm).written();
    case "corruption-cause":
      return writer.byte(17).byte(message.cause).written();
  }
}
