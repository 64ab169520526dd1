import { randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { messageOf } from "@kindling/core-spec";
import { fileSystemError, StoreError } from "../../errors/store-error.ts";
import type { Layout } from "./layout.ts";
import { openPlainFile } from "./plain-file.ts";

/**
 * Whether a data folder can be read, and whether it can be written.
 *
 * @throws StoreError `unavailable` if it cannot be read, `no-space` and `read-only` if it cannot be written
 */
export async function probeDisk(layout: Layout): Promise<void> {
  try {
    await readSome(layout.format);
  } catch (error) {
    throw new StoreError("unavailable", `the disk cannot be read: ${messageOf(error)}`, error);
  }
  try {
    await writeSome(layout.ingestFile(`probe-${randomUUID()}`));
  } catch (error) {
    const failure = fileSystemError(error);
    if (failure instanceof StoreError && failure.kind === "no-space") throw failure;
    throw new StoreError("read-only", `the disk can be read, but not be written: ${messageOf(error)}`, error);
  }
}

async function readSome(path: string): Promise<void> {
  const file = await openPlainFile(path, "read");
  try {
    const { bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    if (bytesRead === 0) throw new Error(`${path} is empty`);
  } finally {
    await file.close();
  }
}

async function writeSome(path: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.write("probe");
  } finally {
    await file.close();
    await unlink(path);
  }
}
