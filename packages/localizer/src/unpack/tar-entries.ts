import { quotedName } from "@kindling/core-spec";
import { ArchiveFault, type ArchiveEntry, type EntryKind } from "./archive-entry.ts";
import type { ByteReader } from "./byte-reader.ts";
import { parsePaxRecords, type PaxValues } from "./pax-records.ts";
import { BLOCK, decodeName, isZero, parseTarHeader, type TarHeader } from "./tar-header.ts";

// Extended headers and long names are read into memory: a path has at most 4096 bytes, with room for other records.
const MOST_EXTENSION_BYTES = 256 * 1024;
// Real archives have at most four before an entry: a global header, a pax header, and a long name and a long link of GNU
// tar.
const MOST_EXTENSIONS = 16;

const KINDS: Readonly<Record<string, EntryKind>> = {
  "0": "file",
  "7": "file",
  "1": "hard link",
  "2": "symbolic link",
  "3": { refused: "a character device" },
  "4": { refused: "a block device" },
  "5": "directory",
  "6": { refused: "a named pipe" },
  S: { refused: "a sparse file" },
  D: { refused: "an incremental backup's directory" },
  M: { refused: "a file of several volumes" },
  V: { refused: "a volume's label" },
};

/**
 * The entries of a tar archive, in the formats that GNU tar, bsdtar, Python and Java write: v7, ustar, pax, GNU long
 * names. Damage is an error, and so is an archive without the usual end.
 *
 * @throws ArchiveFault
 */
export async function* tarEntries(reader: ByteReader): AsyncGenerator<ArchiveEntry, void, undefined> {
  let values: PaxValues = {};
  let globals: PaxValues = {};
  let extensions = 0;
  for (;;) {
    const header = parseTarHeader(await reader.exactly(BLOCK));
    if (header === undefined) break;
    const { type } = header;
    if (type === "x" || type === "g" || type === "L" || type === "K") {
      if (++extensions > MOST_EXTENSIONS) {
        throw new ArchiveFault(`it has more than ${MOST_EXTENSIONS} extended headers for one entry`);
      }
      const extension = await readExtension(reader, header);
      if (type === "g") globals = { ...globals, ...parsePaxRecords(extension) };
      else if (type === "x") values = { ...values, ...parsePaxRecords(extension) };
      else values = { ...values, [type === "L" ? "path" : "linkpath"]: decodeName(untilNul(extension)) };
      continue;
    }
    const { entry, finish } = entryOf(reader, header, { ...globals, ...values });
    values = {};
    extensions = 0;
    yield entry;
    await finish();
  }
  await checkEnd(reader, values);
}

async function readExtension(reader: ByteReader, { size }: TarHeader): Promise<Buffer> {
  if (size > MOST_EXTENSION_BYTES) throw new ArchiveFault("it has an enormous name or extended header");
  const bytes = Buffer.from(await reader.exactly(size));
  await reader.skip(padding(size));
  return bytes;
}

function entryOf(
  reader: ByteReader,
  header: TarHeader,
  values: PaxValues,
): { entry: ArchiveEntry; finish: () => Promise<void> } {
  const name = values.path ?? header.name;
  let kind = KINDS[header.type] ?? { refused: `an entry of the unknown type ${quotedName(header.type)}` };
  // In old archives without a type for it, a directory is a file whose name ends with a slash.
  if (kind === "file" && name.endsWith("/")) kind = "directory";
  // pax allows hard links with content. No program writes it, and readers do not agree on it.
  const size = values.size ?? header.size;
  if (kind !== "file" && size !== 0 && typeof kind === "string" && kind !== "directory") {
    throw new ArchiveFault((quoted) => `${quoted(name)} is a link with content`);
  }
  // Some writers give directories a size as a hint, but no content (POSIX.1-1988, ustar, typeflag 5).
  const stored = kind === "directory" ? 0 : size;
  let left = stored;
  return {
    entry: {
      name,
      kind,
      mode: header.mode,
      size: stored,
      target: values.linkpath ?? header.linkName,
      async *content() {
        while (left > 0) {
          const bytes = await reader.some(left);
          left -= bytes.length;
          yield bytes;
        }
      },
    },
    async finish() {
      await reader.skip(left + padding(stored));
    },
  };
}

/** A second block of zeros, and only zeros after it. */
async function checkEnd(reader: ByteReader, values: PaxValues): Promise<void> {
  if (Object.keys(values).length > 0) throw new ArchiveFault("it ends after an extended header");
  let zeros = 0;
  for await (const bytes of reader.rest()) {
    if (!isZero(bytes)) throw new ArchiveFault("there is data after its end");
    zeros += bytes.length;
  }
  if (zeros < BLOCK) throw new ArchiveFault("it ends too early");
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function untilNul(bytes: Buffer): Buffer {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
}
