import type { Texts } from "../protocol/byte-reader.ts";
import { javaInt, splitJava } from "../protocol/java-text.ts";
import type { ShuffleBlocks } from "../protocol/block-message.ts";
import { RemoteError } from "../remote-error.ts";

/** A block that a client wants. Partitions are those from `start` to the one before `end`. */
export type BlockReference =
  | {
      readonly kind: "shuffle";
      readonly shuffleId: number;
      readonly mapId: bigint;
      readonly start: number;
      readonly end: number;
    }
  | { readonly kind: "rdd"; readonly rddId: number; readonly splitIndex: number }
  | { readonly kind: "merged" };

/** The blocks of a stream, one after the other. */
export interface BlockList {
  /** How many chunks the client is told. */
  readonly chunks: number;
  /** What the list takes, in bytes, until its last block is taken. */
  readonly weight: number;
  readonly hasNext: boolean;
  /** The next block; `hasNext` must be true. */
  next(): BlockReference;
}

/**
 * The blocks of a `FetchShuffleBlocks`. Counterpart of `ShuffleManagedBufferIterator`: like it, the list ends at a map without
 * partitions.
 */
export class FetchedBlocks implements BlockList {
  readonly chunks: number;
  readonly weight: number;
  readonly #blocks: ShuffleBlocks;
  #map = 0;
  #reduce = 0;
  /** Where the partitions of the map begin. */
  #start = 0;

  constructor(blocks: ShuffleBlocks) {
    this.#blocks = blocks;
    this.chunks = blocks.isBatch ? blocks.mapIds.length : blocks.reduceIds.length;
    this.weight = 12 * blocks.mapIds.length + 4 * blocks.reduceIds.length;
  }

  get hasNext(): boolean {
    return this.#reduce < (this.#blocks.reduceCounts[this.#map] ?? 0);
  }

  next(): BlockReference {
    const { shuffleId, mapIds, reduceIds, reduceCounts, isBatch } = this.#blocks;
    const mapId = mapIds[this.#map] ?? 0n;
    const count = reduceCounts[this.#map] ?? 0;
    const start = reduceIds[this.#start + this.#reduce] ?? 0;
    const end = isBatch ? (reduceIds[this.#start + 1] ?? 0) : start + 1;
    if (isBatch || this.#reduce === count - 1) {
      this.#map += 1;
      this.#start += count;
      this.#reduce = 0;
    } else {
      this.#reduce += 1;
    }
    return { kind: "shuffle", shuffleId, mapId, start, end };
  }
}

/**
 * The blocks of an `OpenBlocks`, which all are of the kind of the first one. Counterpart of `ManagedBufferIterator`. The names
 * stay in the bytes of the request until it is their turn.
 */
export class OpenedBlocks implements BlockList {
  readonly chunks: number;
  readonly weight: number;
  readonly #kind: "shuffle" | "rdd";
  readonly #shuffleId: number;
  readonly #names: Iterator<string>;
  #at = 0;

  /** @throws RemoteError if a name is not that of a block, or of another kind than the first */
  constructor(blockIds: Texts) {
    this.chunks = blockIds.length;
    this.weight = blockIds.byteLength;
    const [firstId] = blockIds;
    if (firstId === undefined) {
      const message = "Index 0 out of bounds for length 0";
      throw new RemoteError("message", "java.lang.ArrayIndexOutOfBoundsException", message);
    }
    const first = splitJava(firstId);
    this.#kind = kindOf(first) ?? unexpected(firstId);
    this.#shuffleId = this.#kind === "shuffle" ? number(first[1]) : 0;
    for (const id of blockIds) this.#reference(id);
    this.#names = blockIds[Symbol.iterator]();
  }

  get areOfRdds(): boolean {
    return this.#kind === "rdd";
  }

  get hasNext(): boolean {
    return this.#at < this.chunks;
  }

  next(): BlockReference {
    this.#at += 1;
    return this.#reference(String(this.#names.next().value));
  }

  #reference(id: string): BlockReference {
    if (this.#kind === "rdd") {
      const [rddId, splitIndex] = rddNumbers(id);
      return { kind: "rdd", rddId, splitIndex };
    }
    const [map, reduce] = shuffleNumbers(id, this.#shuffleId);
    return { kind: "shuffle", shuffleId: this.#shuffleId, mapId: BigInt(map), start: reduce, end: reduce + 1 };
  }
}

/** Merged blocks: Spark's service opens them, and fails at the first. */
export class MergedBlocks implements BlockList {
  readonly chunks = 1;
  readonly weight = 0;
  readonly hasNext = true;

  next(): BlockReference {
    return { kind: "merged" };
  }
}

function kindOf(parts: readonly string[]): "shuffle" | "rdd" | undefined {
  if (parts.length === 4 && parts[0] === "shuffle") return "shuffle";
  return parts.length === 3 && parts[0] === "rdd" ? "rdd" : undefined;
}

function unexpected(id: string): never {
  throw new RemoteError("block", "java.lang.IllegalArgumentException", `Unexpected block id format: ${id}`);
}

function shuffleNumbers(id: string, shuffleId: number): readonly [number, number] {
  const parts = splitJava(id);
  if (parts.length !== 4 || parts[0] !== "shuffle") {
    throw new RemoteError("block", "java.lang.IllegalArgumentException", `Unexpected shuffle block id format: ${id}`);
  }
  if (number(parts[1]) !== shuffleId) {
    throw new RemoteError("block", "java.lang.IllegalArgumentException", `Expected shuffleId=${shuffleId}, got:${id}`);
  }
  return [number(parts[2]), number(parts[3])];
}

function rddNumbers(id: string): readonly [number, number] {
  const parts = splitJava(id);
  if (parts.length !== 3 || parts[0] !== "rdd") {
    throw new RemoteError("block", "java.lang.IllegalArgumentException", `Unexpected RDD block id format: ${id}`);
  }
  return [number(parts[1]), number(parts[2])];
}

function number(text = ""): number {
  const value = javaInt(text);
  if (value === undefined) {
    throw new RemoteError("block", "java.lang.NumberFormatException", `For input string: "${text}"`);
  }
  return value;
}
