import { type ChildProcess, spawn } from "node:child_process";
import { constants as files, openSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { Tools } from "../host/tools.ts";
import { STREAMS, type Stream } from "./container-log.ts";
import { type Mode, unshareFlags } from "./set-up-script.ts";

/** A container's process that has been made ready and runs its own program by now. */
export interface Launched {
  /** The number of the process that holds the container; what it dies of, the container dies of. */
  readonly holder: number;
  /** The number of the container's first process, as this machine knows it. */
  readonly pid: number;
  /** What the container writes. */
  readonly output: Readonly<Record<Stream, Readable>>;
  /** Fulfilled when all of the container's processes have ended; never rejected. */
  readonly ended: Promise<End>;
}

export interface End {
  readonly exitCode: number;
  readonly signal: number | undefined;
  /** What those who made the container had to say. */
  readonly complaint: string;
}

const KILL = 9;

/** The container's own program could not be started; the message is of who made it ready. */
export class LaunchError extends Error {}

export interface LaunchRequest {
  readonly mode: Mode;
  readonly tools: Tools;
  /** The path of the set-up script, and those of the pipes for what the container writes. */
  readonly script: string;
  readonly pipes: Readonly<Record<Stream, string>>;
  /** Called as soon as there is a process. */
  readonly onProcess: (pid: number) => void;
}

/** @throws LaunchError */
export async function launch({ mode, tools, script, pipes, onProcess }: LaunchRequest): Promise<Launched> {
  // Both ends are open before anything is written: whoever opens it for writing does not wait.
  const output = { stdout: openPipe(pipes.stdout), stderr: openPipe(pipes.stderr) };
  const args = ["--pdeathsig=KILL", tools.unshare, ...unshareFlags(mode), "--", tools.sh, script];
  // In a session of its own, so that Ctrl-C in the cluster's terminal does not reach it.
  const child = spawn(tools.setpriv, args, {
    cwd: "/",
    env: { LC_ALL: "C" },
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const [, , errors, told] = child.stdio as unknown as [null, null, Readable, Readable];
  const ended = endOf(child, errors);
  if (child.pid !== undefined) onProcess(child.pid);
  try {
    for await (const line of linesFrom(told)) {
      const pid = /^ready (\d+)$/.exec(line)?.[1];
      if (pid !== undefined && child.pid !== undefined) {
        return { holder: child.pid, pid: Number(pid), output, ended };
      }
    }
    const { complaint } = await ended;
    throw new LaunchError(complaint || "the process ended while it was made ready");
  } catch (error) {
    for (const stream of STREAMS) output[stream].destroy();
    child.kill("SIGKILL");
    throw error;
  }
}

async function* linesFrom(stream: Readable): AsyncGenerator<string> {
  let rest = "";
  // Not `for await` on the stream: it would destroy it, and with it the descriptor that unshare holds as well.
  const iterator = stream.iterator({ destroyOnReturn: false });
  for await (const chunk of iterator) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

function openPipe(path: string): Readable {
  // Not blocking: the writer opens it later.
  const fd = openSync(path, files.O_RDONLY | files.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

async function endOf(child: ChildProcess, errors: Readable): Promise<End> {
  let complaint = "";
  errors.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  return await new Promise((resolve) => {
    child.on("error", (error) => resolve({ exitCode: 128, signal: undefined, complaint: error.message }));
    child.on("exit", (code, name) => {
      const signal = name === null ? undefined : constants.signals[name];
      const end = (): void => resolve(endWith(code, signal, complaint.trim()));
      if (errors.closed) end();
      else errors.on("close", end);
    });
  });
}

function endWith(code: number | null, signal: number | undefined, complaint: string): End {
  // The `unshare` of util-linux 2.38 fails in its try to die of SIGKILL like the container's first process did.
  if (code === 1 && complaint.startsWith("unshare: sigprocmask")) return { exitCode: 137, signal: KILL, complaint };
  return { exitCode: code ?? 128 + (signal ?? 0), signal, complaint };
}
