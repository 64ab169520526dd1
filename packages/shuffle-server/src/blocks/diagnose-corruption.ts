import { RemoteError } from "../remote-error.ts";
import { checksum } from "./checksum.ts";
import type { BlockFiles, FoundBlock } from "./block-files.ts";
import type { Executor } from "./executors.ts";

/** Why a block is corrupt (`Cause`, by its number). */
export const CAUSES = {
  diskIssue: 0,
  networkIssue: 1,
  unknownIssue: 2,
  checksumVerifyPass: 3,
  unsupportedChecksumAlgorithm: 4,
} as const;

/** What a reader knows of a corrupt block. `checksum` is the reader's own. */
export interface CorruptBlock {
  readonly shuffleId: number;
  readonly mapId: bigint;
  readonly reduceId: number;
  readonly checksum: bigint;
  readonly algorithm: string;
}

/** Reads bytes of a file into a buffer, and says how many. */
export type ReadPiece = (fd: number, into: Buffer, length: number, position: number) => Promise<number>;

const PIECE_BYTES = 64 * 1024;

/**
 * Compares the checksums of the block's writer and of its reader with that of the bytes on the disk.
 *
 * Source: `ExternalShuffleBlockResolver.diagnoseShuffleBlockCorruption` and `ShuffleChecksumHelper.diagnoseCorruption`, Spark
 * 3.5.9 and 4.1.1.
 *
 * @returns a number of {@link CAUSES}
 * @throws RemoteError if there is no such block
 */
export async function diagnoseCorruption(
  files: BlockFiles,
  executor: Executor,
  block: CorruptBlock,
  read: ReadPiece,
): Promise<number> {
  const { shuffleId, mapId, reduceId, algorithm } = block;
  const name = `shuffle_${shuffleId}_${mapId}_0`;
  // Fails if the index is missing, also for an algorithm that is not known.
  files.segment(executor, name, reduceId, reduceId + 1);
  const sum = checksum(algorithm);
  if (sum === undefined) return CAUSES.unsupportedChecksumAlgorithm;
  try {
    const written = files.readSmall(executor, `${name}.checksum.${algorithm}`, 8 * reduceId, 8)?.readBigInt64BE();
    if (written === undefined) return CAUSES.unknownIssue;
    const found = files.find(executor, { kind: "shuffle", shuffleId, mapId, start: reduceId, end: reduceId + 1 });
    if (found === undefined) return CAUSES.unknownIssue;
    const onDisk = await checksumOf(found, sum, read);
    if (written !== onDisk) return CAUSES.diskIssue;
    return written === block.checksum ? CAUSES.checksumVerifyPass : CAUSES.networkIssue;
  } catch (error) {
    // The data file is shorter than its index says.
    return error instanceof RemoteError && error.kind === "damaged" ? CAUSES.diskIssue : CAUSES.unknownIssue;
  }
}

async function checksumOf(
  block: FoundBlock,
  sum: NonNullable<ReturnType<typeof checksum>>,
  read: ReadPiece,
): Promise<bigint> {
  try {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, block.length));
    for (let done = 0; done < block.length;) {
      const want = Math.min(piece.length, block.length - done);
      const count = await read(block.file.fd, piece, want, block.offset + done);
      // Spark takes what there is.
      if (count === 0) break;
      sum.update(piece.subarray(0, count));
      done += count;
    }
    return BigInt(sum.value);
  } finally {
    block.release();
  }
}
