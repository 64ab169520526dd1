import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Finished>;
  /** Resolves with the output of stdout and stderr when the text is in it; rejects if the process ends without it. */
  saying(text: string): Promise<string>;
}

/** Collects the output of a process. */
export function runningProcess(child: ChildProcessByStdio<null, Readable, Readable>): RunningProcess {
  const streams = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      streams[name] += chunk;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<Finished>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...streams }));
  });
  return {
    child,
    ended,
    saying: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const said = streams.stdout + streams.stderr;
          if (said.includes(text)) resolve(said);
        };
        listeners.add(look);
        look();
        void ended.then(({ stderr }) =>
          reject(new Error(`it ended without saying ${JSON.stringify(text)}: ${stderr}`)),
        );
      }),
  };
}
