import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf, type Digest } from "../../src/index.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

export interface LocalSample {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly bytes: Buffer;
  readonly digest: Digest;
}

/** Files of random bytes in a folder of their own, by name and size. */
export async function localFiles(sizes: Readonly<Record<string, number>>): Promise<LocalSample[]> {
  const folder = scratchFolder().path;
  return await Promise.all(
    Object.entries(sizes).map(async ([name, size]) => {
      const bytes = randomBytes(size);
      const path = join(folder, name);
      await writeFile(path, bytes);
      return { path, name, kind: "file", bytes, digest: digestOf(bytes) };
    }),
  );
}
