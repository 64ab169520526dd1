import { spawn, type ChildProcess } from "node:child_process";

// Waits for a line, and then becomes the program; it ends if the line can no longer come.
const WAITS_FOR_GO = 'read -r _ <&3 || exit 143; exec 3<&-; exec "$0" "$@"';
// Reads no line: the input ends when the process at the other end of the pipe is gone.
const WATCHES = 'read -r _; kill -TERM "$0"';

/** A program with a shell that watches it. */
export interface WatchedChild {
  readonly child: ChildProcess;
  /** To be called when the program has ended. */
  readonly release: () => void;
}

/**
 * Starts a program with this process's own streams. The program gets a SIGTERM when this process is gone: a SIGKILL cannot be
 * passed on, but it closes the pipe of a shell that watches the program.
 */
export function spawnWatched(
  program: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
): WatchedChild {
  const child = spawn("/bin/sh", ["-c", WAITS_FOR_GO, program, ...args], {
    ...options,
    stdio: ["inherit", "inherit", "inherit", "pipe"],
  });
  const watcher = spawn("/bin/sh", ["-c", WATCHES, String(child.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    // A signal that a terminal sends to all of its processes must not end the watcher first.
    detached: true,
  });
  watcher.on("error", () => undefined);
  const go = child.stdio[3];
  if (go !== null && go !== undefined && "end" in go) {
    go.on("error", () => undefined);
    go.end("\n");
  }
  return { child, release: () => void watcher.kill("SIGKILL") };
}
