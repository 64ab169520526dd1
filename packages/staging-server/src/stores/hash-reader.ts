import { digester, type Digest } from "@kindling/staging-client";
import type { BlobReader } from "./blob-store.ts";

/** Reads all bytes, returns their digest and length, and closes the reader. */
export async function hashReader(reader: BlobReader): Promise<{ readonly digest: Digest; readonly size: number }> {
  const hash = digester();
  let size = 0;
  try {
    for await (const chunk of reader) {
      hash.update(chunk);
      size += chunk.length;
    }
  } finally {
    await reader.close();
  }
  return { digest: hash.digest(), size };
}
