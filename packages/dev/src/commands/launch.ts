import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { CommandContext } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import type { InstanceStatus } from "../control/instance-status.ts";
import type { InstanceOptions } from "../instance/start-instance.ts";
import { prepareState } from "../state/state-files.ts";
import { statePaths } from "../state/state-paths.ts";
import type { ServeMessage } from "./serve-command.ts";

const SCRIPT = fileURLToPath(new URL("../bin/kindling-dev.js", import.meta.url));

/**
 * Starts an instance in a separate process, which goes on when this one and its terminal are gone.
 *
 * @throws KindlingError if it cannot start; then its process has ended
 */
export async function launch(
  options: Omit<InstanceOptions, "logIsReady">,
  { outside: { env }, signal }: CommandContext,
): Promise<InstanceStatus> {
  const paths = statePaths(options.stateFolder);
  await prepareState(paths);
  const log = openSync(paths.log, "a");
  const child = spawn(process.execPath, [SCRIPT, "serve", JSON.stringify({ ...options, logIsReady: true })], {
    detached: true,
    cwd: paths.folder,
    env: { ...env },
    stdio: ["ignore", log, log, "ipc"],
  });
  const interrupt = (): void => void child.kill("SIGTERM");
  signal.addEventListener("abort", interrupt);
  try {
    const message = await new Promise<ServeMessage>((resolve, reject) => {
      child.once("message", (sent) => resolve(sent as ServeMessage));
      child.once("error", reject);
      child.once("exit", (code, ending) => reject(new Error(`exit code ${code ?? ending}`)));
    });
    if (message.type === "ready") return message.status;
    throw new KindlingError(message.code, message.message, message.hint === undefined ? {} : { hint: message.hint });
  } catch (error) {
    if (signal.aborted) throw new KindlingError("INTERRUPTED", "the start was interrupted");
    if (error instanceof KindlingError) throw error;
    const lines = (await readFile(paths.log, "utf8")).trimEnd().split("\n").slice(-5).join("\n  ");
    throw new KindlingError("INTERNAL", `the cluster's process has ended at its start:\n  ${lines}`, {
      hint: `see ${paths.log}`,
      cause: error,
    });
  } finally {
    signal.removeEventListener("abort", interrupt);
    if (child.connected) child.disconnect();
    child.unref();
  }
}
