import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blockPlace, checksum, type ChecksumAlgorithm } from "../../src/index.ts";

export const SUB_DIRS = 64;

/** Local directories of an executor, as Spark lays them out. */
export class ShuffleFiles {
  /** Always of the same length, so that paths can be exchanged in recorded bytes. */
  readonly root: string = mkdtempSync("/tmp/ksh-");
  readonly localDirs: readonly string[] = [join(this.root, "blockmgr-1"), join(this.root, "blockmgr-2")];

  constructor() {
    for (const directory of this.localDirs) mkdirSync(directory);
  }

  /** Where a file with this name is, or would be. */
  path(name: string): string {
    const { directory, path } = blockPlace(name, this.localDirs.length, SUB_DIRS);
    return join(this.localDirs[directory] ?? "", path);
  }

  write(name: string, content: Uint8Array): string {
    const path = this.path(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** The output of a map task: one block for each partition. */
  writeMap(shuffle: number, map: number | bigint, blocks: readonly Uint8Array[], algorithm?: ChecksumAlgorithm): void {
    const name = `shuffle_${shuffle}_${map}_0`;
    this.write(`${name}.data`, Buffer.concat(blocks));
    const index = Buffer.alloc(8 * (blocks.length + 1));
    let offset = 0;
    for (const [at, block] of blocks.entries()) index.writeBigInt64BE(BigInt((offset += block.length)), 8 * (at + 1));
    this.write(`${name}.index`, index);
    if (algorithm !== undefined) this.write(`${name}.checksum.${algorithm}`, checksums(blocks, algorithm));
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function checksums(blocks: readonly Uint8Array[], algorithm: ChecksumAlgorithm): Buffer {
  const all = Buffer.alloc(8 * blocks.length);
  for (const [at, block] of blocks.entries()) {
    const sum = checksum(algorithm);
    sum?.update(Buffer.from(block));
    all.writeBigInt64BE(BigInt(sum?.value ?? 0), 8 * at);
  }
  return all;
}

/** An index file with these numbers. */
export function indexOf(...offsets: readonly bigint[]): Buffer {
  const index = Buffer.alloc(8 * offsets.length);
  for (const [at, offset] of offsets.entries()) index.writeBigInt64BE(offset, 8 * at);
  return index;
}
