import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Random } from "@kindling/outside";
import { connectCluster, loadConfig, type StagingServer, startStagingServer } from "@kindling/staging-server";
import { writePrivate } from "../state/state-files.ts";
import type { StatePaths } from "../state/state-paths.ts";

/**
 * Starts the staging server for files of this machine. Everybody who can read the token file may use it; pods use the same
 * address, because they are processes of this machine.
 */
export async function startStaging(
  paths: StatePaths,
  random: Random,
  log: { write(line: string): void },
  onFatal: (error: Error) => void,
): Promise<StagingServer> {
  // Its bundles belonged to pods that no longer exist.
  await rm(paths.staging, { recursive: true, force: true });
  const token = Buffer.from(random.bytes(24)).toString("base64url");
  const tokenSha256 = createHash("sha256").update(token).digest("hex");
  await writePrivate(paths.stagingToken, `${token}\n`);
  const subject = { name: "kindling-dev", tokenSha256, namespaces: ["*"], admin: true };
  await writePrivate(paths.stagingAccess, JSON.stringify({ subjects: [subject] }));
  const settings = {
    "listen-host": "127.0.0.1",
    "listen-port": "0",
    "admin-host": "127.0.0.1",
    "admin-port": "0",
    "auth-mode": "token",
    "auth-access-file": paths.stagingAccess,
    "store-path": paths.staging,
    "store-min-free": "100m",
    "cluster-kubeconfig": paths.kubeconfig,
    "shutdown-grace": "1s",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  // Settings in the user's environment are for another server.
  const config = loadConfig({ args, env: {}, readFile: () => "" });
  return await startStagingServer(config, { env: {}, log, connectCluster, onFatal });
}
