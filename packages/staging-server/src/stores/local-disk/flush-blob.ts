import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { putSeal, takeSealOff } from "./blob-seal.ts";
import type { DurableFolders } from "./durable-folders.ts";
import type { StepHook } from "./steps.ts";

/** The bytes of a file could not be flushed to the disk. */
export class UnflushedError extends Error {}

/**
 * Flushes a file, its name and its seal to the disk.
 *
 * @returns the file as it is afterwards
 * @throws UnflushedError if the bytes themselves could not be flushed
 */
export async function flushAndSeal(
  file: FileHandle,
  folder: string,
  folders: DurableFolders,
  onStep: StepHook,
): Promise<Stats> {
  onStep("blob-sync");
  await Promise.all([flushBytes(file), folders.keep(folder)]);
  onStep("blob-seal");
  await putSeal(file);
  try {
    // After the seal, so that the name and the seal are on disk then.
    await folders.sync(folder);
  } catch (error) {
    await takeSealOff(file).catch(() => undefined);
    throw error;
  }
  return await file.stat();
}

async function flushBytes(file: FileHandle): Promise<void> {
  try {
    await file.datasync();
  } catch (error) {
    throw new UnflushedError("the bytes could not be flushed", { cause: error });
  }
}
