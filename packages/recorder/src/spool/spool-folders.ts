import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { readIfThere } from "@kindling/stores";
import { asSparkPod } from "../cluster/spark-pod-text.ts";
import type { SparkPod } from "../cluster/spark-pod.ts";
import { foldersIn } from "./spool-files.ts";

/** The name under which a driver's pod is kept in the folder of its run. */
export const KEPT_DRIVER = "driver";

/**
 * Makes the folder for what is not in the archive yet, and writes into it.
 *
 * @throws KindlingError `CONF_INVALID` if that is not possible
 */
export async function prepareSpool(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const probe = join(folder, ".probe");
    await writeFile(probe, "");
    await rm(probe);
  } catch (error) {
    throw new KindlingError("CONF_INVALID", `the folder for logs cannot be used: ${messageOf(error)}`, {
      hint: "name a folder that this process may write into",
      cause: error,
    });
  }
}

/** The folders of runs that an earlier process has left. */
export async function spoolFolders(folder: string): Promise<readonly string[]> {
  return (await foldersIn(folder)).map((name) => join(folder, name));
}

/** The driver's pod, as it was kept last in the folder of its run; `undefined` if it was not kept. */
export async function keptDriver(folder: string): Promise<SparkPod | undefined> {
  const text = await readIfThere(join(folder, `${KEPT_DRIVER}.json`));
  try {
    return text === undefined ? undefined : asSparkPod(JSON.parse(text));
  } catch {
    return undefined;
  }
}
