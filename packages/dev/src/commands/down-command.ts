import type { CommandContext, CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { type Clock, sleep } from "@kindling/outside";
import { stateFolder } from "../args/cluster-options.ts";
import { askStatus, askToStop } from "../control/control-client.ts";
import { isAlive } from "../control/is-alive.ts";
import { removeTraces } from "../state/state-files.ts";
import { statePaths, type StatePaths } from "../state/state-paths.ts";

// An instance that takes longer than this hangs.
const STOP_MS = 60_000;
const LOOK_MS = 20;

/** `kindling dev down`. If nothing runs, that is no error. */
export async function downCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const paths = statePaths(stateFolder(line, context.outside));
  const wasRunning = await takeDown(paths, { clock: context.outside.clock, signal: context.signal });
  context.output.err(wasRunning ? "ended\n" : `nothing runs with state folder ${paths.folder}\n`);
  return 0;
}

/** Ends the instance of a state folder, including its process. Returns whether there was one. */
export async function takeDown(
  paths: StatePaths,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<boolean> {
  const status = await askStatus(paths.socket, clock);
  if (status === undefined) {
    // What a killed instance has left, if anything.
    await removeTraces(paths);
    return false;
  }
  const begun = clock.monotonic();
  const hangs = (): boolean => clock.monotonic() - begun >= STOP_MS;
  await askToStop(paths.socket, { clock, limitMs: STOP_MS, signal }).catch((error: unknown) => {
    if (!hangs()) throw error;
  });
  while (isAlive(status.pid)) {
    if (signal?.aborted === true) throw new KindlingError("INTERRUPTED", `process ${status.pid} has not ended yet`);
    // The processes of its pods die with it, and the next start cleans up.
    if (hangs()) process.kill(status.pid, "SIGKILL");
    await sleep(clock, LOOK_MS, signal);
  }
  if (hangs()) await removeTraces(paths);
  return true;
}
