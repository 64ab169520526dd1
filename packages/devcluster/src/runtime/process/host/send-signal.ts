import { kill } from "node:process";

/** Sends a signal to a process, or to a group if the number is negative. One that ends just now needs none any more. */
export function sendSignal(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The number may belong to a process of another user by now.
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}
