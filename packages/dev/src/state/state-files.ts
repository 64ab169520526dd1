import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { StatePaths } from "./state-paths.ts";

/**
 * Prepares the state folder for a start: only its owner can read it, and the last run's log is kept under another name.
 *
 * @throws KindlingError if it cannot be written to
 */
export async function prepareState(paths: StatePaths): Promise<void> {
  try {
    await mkdir(paths.folder, { recursive: true, mode: 0o700 });
    await mkdir(paths.conf, { recursive: true });
    await rename(paths.log, `${paths.log}.1`).catch(() => undefined);
    await writeFile(paths.log, "", { mode: 0o600 });
  } catch (error) {
    throw new KindlingError(
      "FILE_UNREADABLE",
      `cannot write to the state folder ${paths.folder}: ${messageOf(error)}`,
      {
        hint: "name another one with --state, or with XDG_STATE_HOME",
        cause: error,
      },
    );
  }
}

/** Writes a file that only its owner can read; it appears completely or not at all. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Removes the files of an instance. Logs, the user's images and what is kept of applications stay. */
export async function removeTraces(paths: StatePaths): Promise<void> {
  const { kubeconfig, sparkDefaults, socket, staging, stagingToken, stagingAccess, connect } = paths;
  const pairs = [paths.gatewayCertificate, paths.gatewayKey, paths.recorderCertificate, paths.recorderKey];
  for (const path of [kubeconfig, sparkDefaults, socket, staging, stagingToken, stagingAccess, connect, ...pairs]) {
    await rm(path, { recursive: true, force: true });
  }
}
