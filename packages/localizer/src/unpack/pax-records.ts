import { ArchiveFault } from "./archive-entry.ts";
import { decodeName } from "./tar-header.ts";

/** Values of extended headers that replace those in the header of the next entry. */
export interface PaxValues {
  readonly path?: string;
  readonly linkpath?: string;
  readonly size?: number;
}

/**
 * Reads the records `length key=value\n` of an extended header (POSIX.1-2001, pax, "Extended Header"). Records without an
 * effect on the unpacked files are ignored; sparse files are refused.
 *
 * @throws ArchiveFault
 */
export function parsePaxRecords(bytes: Buffer): PaxValues {
  const values: { path?: string; linkpath?: string; size?: number } = {};
  for (let start = 0; start < bytes.length;) {
    const blank = bytes.indexOf(0x20, start);
    const digits = blank === -1 || blank - start > 10 ? "" : bytes.toString("latin1", start, blank);
    const end = start + Number(digits);
    const equals = bytes.indexOf(0x3d, blank);
    if (!/^[1-9]\d*$/.test(digits) || end > bytes.length || bytes[end - 1] !== 0x0a || equals === -1 || equals >= end) {
      throw new ArchiveFault("an extended header is damaged");
    }
    const key = bytes.toString("latin1", blank + 1, equals);
    const value = bytes.subarray(equals + 1, end - 1);
    if (key.startsWith("GNU.sparse.")) throw new ArchiveFault("it has a sparse file, which is not supported");
    if (key === "path" || key === "linkpath") {
      if (value.includes(0)) throw new ArchiveFault("a name in it has a NUL");
      // An empty value cancels the value of a global header.
      if (value.length > 0) values[key] = decodeName(value);
    } else if (key === "size") {
      const size = value.toString("latin1");
      if (!/^\d{1,15}$/.test(size)) throw new ArchiveFault("an extended header has an invalid size");
      values.size = Number(size);
    }
    start = end;
  }
  return values;
}
