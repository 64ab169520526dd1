import { open as openFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { createBackoff } from "@kindling/kube";
import { type Outside, sleep } from "@kindling/outside";
import { type Archive, ArchiveError } from "./archive.ts";

/** So many of its last bytes are compared. The last eight bytes of a gzip file are its checksum and its length. */
const COMPARED_BYTES = 64;
/** A store may show what it has stored a little later. */
const ATTEMPTS = 6;
const BACKOFF = { baseMs: 200, capMs: 4_000, resetAfterMs: 60_000 };

/**
 * An archive that believes no store: after each write, it looks whether the end of the file is there. After that, the
 * file is deleted here, so a store that answers well and keeps nothing, or less, would lose it.
 */
export function checkedArchive(archive: Archive, { clock, random }: Pick<Outside, "clock" | "random">): Archive {
  async function check(path: string, size: number, end: Buffer): Promise<void> {
    const backoff = createBackoff({ ...BACKOFF, clock, random: () => random.fraction() });
    for (let attempt = 1; ; attempt++) {
      const kept = await endOf(archive, path, size - end.length);
      if (kept?.equals(end) === true) return;
      if (attempt === ATTEMPTS) throw new ArchiveError(faultOf(archive, path, kept), undefined);
      await sleep(clock, backoff.next());
    }
  }

  return {
    ...archive,
    async put(path, content) {
      await archive.put(path, content);
      if (content.length > 0) await check(path, content.length, content.subarray(-COMPARED_BYTES));
    },
    async putFile(path, file) {
      await archive.putFile(path, file);
      const { size, end } = await endOfFile(file);
      if (size > 0) await check(path, size, end);
    },
  };
}

function faultOf({ name }: Archive, path: string, kept: Buffer | undefined): string {
  const what = kept === undefined ? "it is not there" : "its end is another one";
  return `${name} has said that ${path} is stored, but ${what}`;
}

/** What there is from a place on; one byte more than there should be is enough to see that there is more. */
async function endOf(archive: Archive, path: string, start: number): Promise<Buffer | undefined> {
  try {
    const stream = await archive.open(path, { start, end: start + COMPARED_BYTES + 1 });
    return stream === undefined ? undefined : await buffer(stream);
  } catch (error) {
    // A file that ends before this place: stores answer differently to that.
    if (error instanceof ArchiveError) return Buffer.alloc(0);
    throw error;
  }
}

async function endOfFile(path: string): Promise<{ readonly size: number; readonly end: Buffer }> {
  const file = await openFile(path, "r");
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(Math.min(size, COMPARED_BYTES));
    await file.read(end, 0, end.length, size - end.length);
    return { size, end };
  } finally {
    await file.close();
  }
}
