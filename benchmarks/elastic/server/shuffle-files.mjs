// @ts-check
// The shuffle files of an executor, as Spark writes them.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { randomFillSync } from "node:crypto";
import { blockPlace } from "@kindling/shuffle-server";

export const SUB_DIRS = 64;
const PIECE = Buffer.alloc(1024 * 1024);

/**
 * @typedef {object} ShuffleFiles
 * @property {string[]} localDirs
 * @property {number} maps
 * @property {number} partitions of each map
 * @property {number} blockBytes
 */

/**
 * Writes the files of shuffle 0.
 *
 * @param {string} root
 * @param {{ maps: number, partitions: number, blockBytes: number }} shape
 * @returns {ShuffleFiles}
 */
export function writeShuffleFiles(root, { maps, partitions, blockBytes }) {
  const localDirs = [join(root, "blockmgr-1"), join(root, "blockmgr-2")];
  randomFillSync(PIECE);
  for (let map = 0; map < maps; map++) {
    const index = Buffer.alloc(8 * (partitions + 1));
    for (let at = 0; at <= partitions; at++) index.writeBigInt64BE(BigInt(at * blockBytes), 8 * at);
    write(localDirs, `shuffle_0_${map}_0.index`, [index]);
    write(localDirs, `shuffle_0_${map}_0.data`, pieces(partitions * blockBytes));
  }
  return { localDirs, maps, partitions, blockBytes };
}

/** @param {number} bytes */
function* pieces(bytes) {
  for (let left = bytes; left > 0; left -= PIECE.length) yield PIECE.subarray(0, Math.min(left, PIECE.length));
}

/**
 * @param {readonly string[]} localDirs
 * @param {string} name
 * @param {Iterable<Buffer>} contents
 */
function write(localDirs, name, contents) {
  const { directory, path } = blockPlace(name, localDirs.length, SUB_DIRS);
  const file = join(localDirs[directory] ?? "", path);
  mkdirSync(dirname(file), { recursive: true });
  const fd = openSync(file, "w");
  for (const part of contents) writeSync(fd, part);
  closeSync(fd);
}
