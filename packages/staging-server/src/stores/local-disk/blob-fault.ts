import type { FileHandle } from "node:fs/promises";
import { digester, type Digest } from "@kindling/staging-client";
import { StoreError } from "../../errors/store-error.ts";
import { isFresh } from "./blob-seal.ts";

/** Called after a number of bytes were read; it resolves late to slow the reading down. */
export type Pace = (bytes: number) => Promise<void>;

const CHUNK_BYTES = 256 * 1024;
// A read may fail once because the disk is busy.
const READ_ATTEMPTS = 3;

/**
 * What is wrong with the bytes of a blob's file, in words; `undefined` if nothing is.
 *
 * @throws the file system's error if this cannot be decided
 */
export async function faultOf(file: FileHandle, digest: Digest, pace: Pace | undefined): Promise<string | undefined> {
  try {
    const actual = await hashFile(file, pace);
    if (actual === digest) return undefined;
    const stats = await file.stat();
    const unflushed = isFresh(stats) ? ", and had not been flushed" : "";
    return `its ${stats.size} bytes have the digest ${actual}${unflushed}`;
  } catch (error) {
    if (error instanceof StoreError && error.kind === "damaged") return error.message;
    throw error;
  }
}

/**
 * The digest of the whole file. Uses one small buffer, whatever the file's size.
 *
 * @throws StoreError `damaged` if the disk has lost part of it; any other error unchanged
 */
async function hashFile(file: FileHandle, pace: Pace = () => Promise.resolve()): Promise<Digest> {
  const hash = digester();
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  for (let position = 0; ;) {
    const bytes = await readPart(file, buffer, position);
    if (bytes === 0) return hash.digest();
    hash.update(buffer.subarray(0, bytes));
    position += bytes;
    await pace(bytes);
  }
}

async function readPart(file: FileHandle, buffer: Buffer, position: number): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await file.read(buffer, 0, buffer.length, position)).bytesRead;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (!LOST.has(code)) throw error;
      if (attempt === READ_ATTEMPTS) throw new StoreError("damaged", `it cannot be read: ${code}`, error);
    }
  }
}

const LOST: ReadonlySet<string> = new Set(["EIO", "EUCLEAN", "EBADMSG"]);
