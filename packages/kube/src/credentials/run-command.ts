import { spawn, type ChildProcess } from "node:child_process";
import type { Clock } from "@kindling/outside";

export type CommandResult =
  | { readonly kind: "not-started"; readonly code: string }
  /** It did not end in time, and was killed. */
  | { readonly kind: "timed-out" }
  | {
      readonly kind: "done";
      readonly exitCode: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly output: string;
      /** The last part of its standard error, in one line; empty if that went to the terminal. */
      readonly complaint: string;
    };

export interface CommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Pass standard input on to it. */
  readonly interactive: boolean;
  /** Show standard error: sign-in instructions appear there. */
  readonly showsErrors: boolean;
  /** Whether a person at a terminal may be asked for something. */
  readonly atTerminal: boolean;
  readonly clock: Clock;
  /** After this time it is killed. */
  readonly timeoutMs: number;
  /** An abort kills it, too. */
  readonly signal: AbortSignal;
}

/** An ExecCredential is a few kilobytes; much more means that something is wrong. */
const LONGEST_OUTPUT = 1024 * 1024;
const LONGEST_COMPLAINT = 300;
/** How long a command may take to end after SIGTERM. */
const KILL_GRACE_MS = 1_000;
/** How long to wait for its last output after its end: its child processes may keep the pipes open for ever. */
const LAST_OUTPUT_MS = 500;

/**
 * Runs a command to its end, or until its time is over, and collects what it prints. Never rejects. It does not wait for the
 * command's own child processes.
 */
export function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  return new Promise((resolve) => {
    const { clock, signal, timeoutMs } = options;
    const started = start(command, args, options);
    if (typeof started === "string") {
      resolve({ kind: "not-started", code: started });
      return;
    }
    const { child, kill } = started;
    const output: Buffer[] = [];
    let length = 0;
    let complaint = "";
    let stopWaiting: (() => void) | undefined;

    const settle = (result: CommandResult): void => {
      stopTimer();
      stopWaiting?.();
      signal.removeEventListener("abort", giveUp);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(result);
    };
    const giveUp = (): void => {
      kill();
      settle({ kind: "timed-out" });
    };
    const done = (exitCode: number | null, endedBy: NodeJS.Signals | null): void => {
      const line = complaint.replaceAll(/\s+/g, " ").trim().slice(-LONGEST_COMPLAINT);
      const text = Buffer.concat(output).toString("utf8");
      settle({ kind: "done", exitCode, signal: endedBy, output: text, complaint: line });
    };

    const stopTimer = Number.isFinite(timeoutMs) ? clock.after(timeoutMs, giveUp) : (): void => undefined;
    signal.addEventListener("abort", giveUp, { once: true });
    child.stdout?.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > LONGEST_OUTPUT) kill();
      else output.push(chunk);
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk.toString("utf8")).slice(-4 * LONGEST_COMPLAINT);
    });
    child.on("error", (error: NodeJS.ErrnoException) => settle({ kind: "not-started", code: codeOf(error) }));
    child.on("close", done);
    // Its output is in the pipes by now, and is read before the `setImmediate` callback.
    child.on("exit", (exitCode, endedBy) => {
      stopWaiting = clock.after(LAST_OUTPUT_MS, () => setImmediate(() => done(exitCode, endedBy)));
    });
  });
}

/** Starts a command; the result is an error code if that is not possible. */
function start(
  command: string,
  args: readonly string[],
  { env, clock, interactive, showsErrors, atTerminal }: CommandOptions,
): { readonly child: ChildProcess; readonly kill: () => void } | string {
  // A separate process group can be killed with all child processes of the command. At a terminal the command must stay in
  // this process group: only this group may read from the terminal, and only this group gets Ctrl-C.
  const detached = !atTerminal && process.platform !== "win32";
  try {
    const child = spawn(command, args, {
      env: { ...env },
      stdio: [interactive ? "inherit" : "ignore", "pipe", showsErrors ? "inherit" : "pipe"],
      detached,
      windowsHide: true,
    });
    return { child, kill: killer(child, detached, clock) };
  } catch (error) {
    // A command or a variable with a NUL character is refused at once.
    return codeOf(error as NodeJS.ErrnoException);
  }
}

/** Ends a command, or its group: by SIGTERM first, so that it can clean up, then for good. */
function killer(child: ChildProcess, isGroup: boolean, clock: Clock): () => void {
  let isKilled = false;
  return () => {
    const { pid } = child;
    if (isKilled || pid === undefined) return;
    isKilled = true;
    send(pid, isGroup, "SIGTERM");
    const relent = clock.after(KILL_GRACE_MS, () => send(pid, isGroup, "SIGKILL"));
    // The id of an ended process may soon belong to another process. The id of a group is kept while one of its processes
    // lives.
    if (!isGroup) child.once("exit", relent);
  };
}

function send(pid: number, isGroup: boolean, signal: NodeJS.Signals): void {
  try {
    process.kill(isGroup ? -pid : pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}
