import { kill } from "node:process";

/** Sends a signal to a process, or to a group if the number is negative. A process that has just ended needs no signal. */
export function sendSignal(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The id may belong to a process of another user by now.
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
