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

/** The blocks of an `OpenBlocks`, which all are of the kind of the first one. Counterpart of `ManagedBufferIterator`. */
export class OpenedBlocks implements BlockList {
  readonly chunks: number;
  readonly weight: number;
  readonly #kind: "shuffle" | "rdd";
  readonly #shuffleId: number;
  /** Two numbers for each block: map and partition, or RDD and its partition. */
  readonly #numbers: Int32Array;
  #at = 0;

  /** @throws RemoteError if a name is not that of a block, or of another kind than the first */
  constructor(blockIds: readonly string[]) {
    const first = splitJava(blockIds[0] ?? "");
    this.chunks = blockIds.length;
    this.weight = 8 * blockIds.length;
    if (blockIds.length === 0) {
      throw new RemoteError(
        "message",
        "java.lang.ArrayIndexOutOfBoundsException",
        "Index 0 out of bounds for length 0",
      );
    }
    if (first.length === 4 && first[0] === "shuffle") this.#kind = "shuffle";
    else if (first.length === 3 && first[0] === "rdd") this.#kind = "rdd";
    else {
      throw new RemoteError(
        "block",
        "java.lang.IllegalArgumentException",
        `Unexpected block id format: ${blockIds[0] ?? ""}`,
      );
    }
    this.#shuffleId = this.#kind === "shuffle" ? number(first[1]) : 0;
    this.#numbers = new Int32Array(2 * blockIds.length);
    for (const [index, id] of blockIds.entries()) {
      const [a, b] = this.#kind === "shuffle" ? shuffleNumbers(id, this.#shuffleId) : rddNumbers(id);
      this.#numbers[2 * index] = a;
      this.#numbers[2 * index + 1] = b;
    }
  }

  get hasNext(): boolean {
    return this.#at < this.#numbers.length;
  }

  next(): BlockReference {
    const a = this.#numbers[this.#at] ?? 0;
    const b = this.#numbers[this.#at + 1] ?? 0;
    this.#at += 2;
    return this.#kind === "shuffle"
      ? { kind: "shuffle", shuffleId: this.#shuffleId, mapId: BigInt(a), start: b, end: b + 1 }
      : { kind: "rdd", rddId: a, splitIndex: b };
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
