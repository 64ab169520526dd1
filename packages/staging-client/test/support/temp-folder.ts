import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is gone when the test has ended. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kindling-staging-client-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
