import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { KindlingError } from "@kindling/core-spec";
import { stateFolder } from "../args/cluster-options.ts";
import type { CommandUsage } from "../args/option-table.ts";
import { parseOptions } from "../args/parse-options.ts";
import { askStatus, askToStop } from "../control/control-client.ts";
import { removeTraces } from "../state/state-files.ts";
import { statePaths, type StatePaths } from "../state/state-paths.ts";
import type { CommandContext } from "./context.ts";

// An instance that takes longer than this hangs.
const STOP_MS = 60_000;
const LOOK_MS = 20;

/** `kindling dev down`. Where nothing runs, that is as it should be. */
export async function downCommand(
  usage: CommandUsage,
  argv: readonly string[],
  { env, cwd, output, signal }: CommandContext,
): Promise<number> {
  const paths = statePaths(stateFolder(parseOptions(usage, argv), env, cwd));
  const wasRunning = await takeDown(paths, signal);
  output.err(wasRunning ? "ended\n" : `nothing runs with state folder ${paths.folder}\n`);
  return 0;
}

/** Ends the instance of a state folder, its process too. Returns whether there was one. */
export async function takeDown(paths: StatePaths, signal: AbortSignal): Promise<boolean> {
  const status = await askStatus(paths.socket);
  if (status === undefined) {
    // What an instance that was killed has left, if anything.
    await removeTraces(paths);
    return false;
  }
  const limit = AbortSignal.timeout(STOP_MS);
  await askToStop(paths.socket, AbortSignal.any([signal, limit])).catch((error: unknown) => {
    if (!limit.aborted) throw error;
  });
  while (isAlive(status.pid)) {
    if (signal.aborted) throw new KindlingError("INTERRUPTED", `process ${status.pid} has not ended yet`);
    // The processes of its pods die with it, and the next start clears up.
    if (limit.aborted) process.kill(status.pid, "SIGKILL");
    await setTimeout(LOOK_MS);
  }
  if (limit.aborted) await removeTraces(paths);
  return true;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** Whether a process has ended and only waits for its parent, which in a container may never look (proc(5)). */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}
