import { spawn } from "node:child_process";
import { sendSignal } from "../host/send-signal.ts";
import type { Tools } from "../host/tools.ts";
import { type Mode, becomeUser } from "./set-up-script.ts";
import type { ContainerUser } from "./container-user.ts";

/** A running container in which another program can be run. */
export interface Inside {
  readonly mode: Mode;
  readonly tools: Tools;
  readonly holder: number;
  readonly pid: number;
  readonly user: ContainerUser;
  readonly mayGainRights: boolean;
  readonly workingDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface InsideResult {
  readonly exitCode: number;
  /** The end of its output. */
  readonly output: string;
}

const KEPT_OUTPUT = 10 * 1024;

/**
 * Runs a program in a container and waits for its end. If the signal is aborted, the program is killed and its exit code is
 * 137.
 */
export async function runInside(
  inside: Inside,
  command: readonly string[],
  signal: AbortSignal,
): Promise<InsideResult> {
  const { mode, tools, holder, pid, workingDirectory, environment } = inside;
  // The holder is in all of the container's namespaces except the PID namespace; it has the rights to enter them.
  const user = mode === "user" ? ["--user", "--preserve-credentials"] : [];
  const enter = [`--target=${holder}`, ...user, "--mount", "--uts", `--pid=/proc/${pid}/ns/pid`];
  const place = [tools.env, `--chdir=${workingDirectory}`];
  const args = [...enter, "--", ...becomeUser(inside), ...place, ...command];
  return await new Promise((resolve) => {
    const child = spawn(tools.nsenter, args, {
      cwd: "/",
      env: environment,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const keep = (text: string): void => {
      output = (output + text).slice(-KEPT_OUTPUT);
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    const end = (exitCode: number): void => {
      signal.removeEventListener("abort", kill);
      resolve({ exitCode, output });
    };
    // The program is a child of `nsenter`, and both are in their own process group.
    const kill = (): void => {
      if (child.pid !== undefined && child.exitCode === null) sendSignal(-child.pid, "SIGKILL");
      end(137);
    };
    signal.addEventListener("abort", kill, { once: true });
    child.on("error", (error) => {
      keep(error.message);
      end(126);
    });
    child.on("close", (code) => end(code ?? 137));
    if (signal.aborted) kill();
  });
}
