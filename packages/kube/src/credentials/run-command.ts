import { spawn } from "node:child_process";

export type CommandResult =
  | { readonly kind: "not-started"; readonly code: string }
  | {
      readonly kind: "done";
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly output: string;
      /** The end of what it wrote to standard error, in one line; empty where that went to the terminal. */
      readonly complaint: string;
    };

export interface CommandSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hand standard input on. */
  readonly interactive: boolean;
  /** Let standard error show: sign-in instructions appear there. */
  readonly terminal: boolean;
}

/** An ExecCredential is a few kilobytes; more is a command gone wrong. */
const LONGEST_OUTPUT = 1024 * 1024;
const LONGEST_COMPLAINT = 300;

/** Runs a command to its end and collects what it prints. Never rejects. */
export function runCommand(
  command: string,
  args: readonly string[],
  surroundings: CommandSurroundings,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: { ...surroundings.env },
      stdio: [surroundings.interactive ? "inherit" : "ignore", "pipe", surroundings.terminal ? "inherit" : "pipe"],
      windowsHide: true,
    });
    const output: Buffer[] = [];
    let length = 0;
    let complaint = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > LONGEST_OUTPUT) child.kill();
      else output.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString("utf8")).slice(-4 * LONGEST_COMPLAINT);
    });
    child.on("error", (error: NodeJS.ErrnoException) =>
      resolve({ kind: "not-started", code: error.code ?? error.message }),
    );
    child.on("close", (exitCode, signal) => {
      const line = complaint.replaceAll(/\s+/g, " ").trim().slice(-LONGEST_COMPLAINT);
      resolve({ kind: "done", exitCode, signal, output: Buffer.concat(output).toString("utf8"), complaint: line });
    });
  });
}
