import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { runningProcess, type RunningProcess } from "./running-process.ts";
import { scratchFolder } from "./scratch-folder.ts";

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** An environment without a cluster, without Spark and without a terminal. */
export function bareEnv(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", KUBECONFIG: "/dev/null" };
}

/** Runs a program in a bare environment and an empty folder; it is killed if it still runs when the test ends. */
export function start(program: string, args: readonly string[], { env, cwd }: ProcessOptions): RunningProcess {
  const child = spawn(program, args, {
    env: { ...bareEnv(), ...env },
    cwd: cwd ?? scratchFolder().path,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return runningProcess(child);
}
