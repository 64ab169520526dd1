import { type ChildProcess, spawn } from "node:child_process";
import { constants as files, openSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { Tools } from "../host/tools.ts";
import { STREAMS, type Stream } from "./container-log.ts";
import { type Mode, unshareFlags } from "./set-up-script.ts";

/** A container's process after the set-up, running its own program. */
export interface Launched {
  /** The id of the process that holds the container; if it is killed, the container is killed too. */
  readonly holder: number;
  /** The id of the container's first process on this machine. */
  readonly pid: number;
  /** The output of the container. */
  readonly output: Readonly<Record<Stream, Readable>>;
  /** Fulfilled when all of the container's processes have ended; never rejected. */
  readonly ended: Promise<End>;
}

export interface End {
  readonly exitCode: number;
  readonly signal: number | undefined;
  /** The messages of the programs that set up the container. */
  readonly complaint: string;
}

const KILL = 9;

/** The container's own program could not be started; the message is from the set-up. */
export class LaunchError extends Error {}

export interface LaunchRequest {
  readonly mode: Mode;
  readonly tools: Tools;
  /** The paths of the set-up script, and of the pipes for the container's output. */
  readonly script: string;
  readonly pipes: Readonly<Record<Stream, string>>;
  /** Called as soon as the process exists. */
  readonly onProcess: (pid: number) => void;
}

/** @throws LaunchError */
export async function launch({ mode, tools, script, pipes, onProcess }: LaunchRequest): Promise<Launched> {
  // The pipes are opened here before anything is written, so that the writer does not have to wait.
  const output = { stdout: openPipe(pipes.stdout), stderr: openPipe(pipes.stderr) };
  const args = ["--pdeathsig=KILL", tools.unshare, ...unshareFlags(mode), "--", tools.sh, script];
  // In its own session, so that Ctrl-C in the cluster's terminal does not reach it.
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
  // Not `for await` on the stream: it would destroy the stream, and with it the descriptor that unshare also uses.
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
  // `unshare` of util-linux 2.38 fails when it tries to die of SIGKILL like the container's first process.
  if (code === 1 && complaint.startsWith("unshare: sigprocmask")) return { exitCode: 137, signal: KILL, complaint };
  return { exitCode: code ?? 128 + (signal ?? 0), signal, complaint };
}
