import { readFileSync } from "node:fs";

/**
 * Reads a text file. Synchronous inside: the files are small and local, and a first use of the thread pool, like loading
 * `node:fs/promises`, costs a command two milliseconds.
 */
export async function readTextFile(path: string): Promise<string> {
  return readFileSync(path, "utf8");
}
