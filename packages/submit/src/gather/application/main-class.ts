import { readSync } from "node:fs";
import { withOpenFile } from "../files/open-file.ts";

// A jar with 65,535 entries with long names has a directory of about 10 MB; a jar with more entries needs a few times as
// much.
const LARGEST_DIRECTORY = 128 * 1024 * 1024;
// The manifest of a signed jar has a few hundred bytes for each entry.
const LARGEST_MANIFEST = 16 * 1024 * 1024;

/**
 * The main class that a jar's manifest names; `undefined` if it names none. Throws if the jar cannot be read, if its
 * directory is larger than 128 MiB, or if its manifest is larger than 16 MiB.
 */
export function mainClassOfJar(path: string): string | undefined {
  const manifest = readZipEntry(path, "META-INF/MANIFEST.MF");
  if (manifest === undefined) return undefined;
  // A line that begins with a space continues the line before (JAR File Specification, "Notes on Manifest").
  const lines = new TextDecoder()
    .decode(manifest)
    .replace(/(\r\n|\n|\r) /g, "")
    .split(/\r\n|\n|\r/);
  // Only the main section counts: everything up to the first empty line.
  const end = lines.indexOf("");
  const main = end < 0 ? lines : lines.slice(0, end);
  const attribute = main.find((line) => /^main-class:/i.test(line));
  return attribute?.slice("main-class:".length).trim() || undefined;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;

/** The bytes of one entry of a zip file (APPNOTE.TXT 4.3), read without the rest of the file. */
function readZipEntry(path: string, name: string): Uint8Array | undefined {
  return withOpenFile(path, (file, { size }) => {
    const read = (position: number, length: number): Buffer => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
      readSync(file, buffer, 0, buffer.length, position);
      return buffer;
    };
    const tailStart = Math.max(0, size - 65_557);
    const tail = read(tailStart, 65_557);
    const end = lastIndexOfSignature(tail, END_OF_DIRECTORY);
    if (end < 0 || end + 22 > tail.length) throw new Error("it is no jar file");
    const directorySize = tail.readUInt32LE(end + 12);
    if (directorySize > LARGEST_DIRECTORY) throw tooLarge("directory", LARGEST_DIRECTORY);
    // An executable jar begins with a program, and the offsets do not count it: the directory ends where its end record
    // begins.
    const directoryStart = tailStart + end - directorySize;
    const shift = directoryStart - tail.readUInt32LE(end + 16);
    if (shift < 0) throw new Error("it is no jar file");
    const directory = read(directoryStart, directorySize);
    for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === DIRECTORY_ENTRY;) {
      const nameLength = directory.readUInt16LE(at + 28);
      const skip = 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
      if (directory.toString("utf8", at + 46, at + 46 + nameLength) === name) {
        const packedSize = directory.readUInt32LE(at + 20);
        if (packedSize > LARGEST_MANIFEST) throw tooLarge(name, LARGEST_MANIFEST);
        const localStart = shift + directory.readUInt32LE(at + 42);
        const local = read(localStart, 30);
        if (local.length < 30) throw new Error("it is no jar file");
        const start = localStart + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
        const packed = read(start, packedSize);
        return directory.readUInt16LE(at + 10) === 0 ? packed : unpacked(packed, name);
      }
      at += skip;
    }
    return undefined;
  });
}

function unpacked(packed: Buffer, name: string): Uint8Array {
  try {
    return process.getBuiltinModule("node:zlib").inflateRawSync(packed, { maxOutputLength: LARGEST_MANIFEST });
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? tooLarge(name, LARGEST_MANIFEST) : error;
  }
}

function tooLarge(what: string, mostBytes: number): Error {
  return new Error(`its ${what} is larger than ${mostBytes} bytes`);
}

function lastIndexOfSignature(buffer: Buffer, signature: number): number {
  for (let at = buffer.length - 22; at >= 0; at--) if (buffer.readUInt32LE(at) === signature) return at;
  return -1;
}
