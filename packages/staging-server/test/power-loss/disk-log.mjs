// Makes the possible states after a loss of power, from the log of a recording disk.
import { execFileSync } from "node:child_process";
import { closeSync, openSync, readSync, ftruncateSync, writeSync } from "node:fs";

const HEAD = 24;
const SECTOR = 512;

/**
 * All records, with times in microseconds: `{ at, flush, offset, length, position }`, where the bytes are at a position
 * of the log.
 */
export function readDiskLog(path) {
  const log = openSync(path, "r");
  const records = [];
  const head = Buffer.alloc(HEAD);
  for (let position = 0; readSync(log, head, 0, HEAD, position) === HEAD;) {
    const length = head.readUInt32LE(12);
    records.push({
      at: Number(head.readBigUInt64LE(0) / 1000n),
      flush: head.readUInt32LE(8) === 1,
      offset: Number(head.readBigUInt64LE(16)),
      length,
      position: position + HEAD,
    });
    position += HEAD + length;
  }
  closeSync(log);
  return records;
}

/**
 * Which writes after the last flush may be on disk. `all`: every write; `none`: no write; `some`: any of them, each with
 * any of its sectors, in any order.
 */
export const CACHES = ["all", "some", "none"];

/**
 * Makes images of increasing times.
 *
 * @param base a separate file with the bytes that were flushed by the last requested time
 */
export function imageMaker(logPath, base, bytes, random) {
  const records = readDiskLog(logPath);
  const log = openSync(logPath, "r");
  const disk = openSync(base, "w+");
  ftruncateSync(disk, bytes);
  let flushed = 0;

  /** @param keep called for each sector of the record */
  function apply(file, record, keep = () => true) {
    const data = Buffer.alloc(record.length);
    readSync(log, data, 0, data.length, record.position);
    for (let start = 0; start < data.length; start += SECTOR) {
      if (keep()) writeSync(file, data, start, Math.min(SECTOR, data.length - start), record.offset + start);
    }
  }

  return {
    /** When each write came, without the flushes. */
    writeTimes: records.filter(({ flush }) => !flush).map(({ at }) => at),
    /** Writes the state of a time to a file. */
    imageAt(time, cache, file) {
      let last = flushed;
      let end = flushed;
      while (end < records.length && records[end].at <= time) {
        if (records[end].flush) last = end + 1;
        end++;
      }
      for (const record of records.slice(flushed, last)) if (!record.flush) apply(disk, record);
      flushed = last;
      // Leaves out the holes, which are most of the file.
      execFileSync("cp", ["--sparse=auto", base, file]);
      const image = openSync(file, "r+");
      const volatile = records.slice(last, end);
      for (const record of volatile) {
        if (cache === "all") apply(image, record);
        else if (cache === "some" && random() < 0.6) {
          apply(image, record, random() < 0.7 ? undefined : () => random() < 0.5);
        }
      }
      closeSync(image);
      return { writes: end, volatile: volatile.length };
    },
    close() {
      closeSync(log);
      closeSync(disk);
    },
  };
}
