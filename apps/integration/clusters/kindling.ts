import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const MANIFEST = createRequire(import.meta.url).resolve("@kindling/submit-cli/package.json");
/** The `kindling` command, for Node. */
export const KINDLING_BIN: string = join(dirname(MANIFEST), "bin", "kindling.js");

export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** The `kindling` command, as a process of its own. */
export class Kindling {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  out = "";
  err = "";

  /** @param bin another executable than `kindling` itself */
  constructor(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    cwd: string = process.cwd(),
    bin: string = KINDLING_BIN,
  ) {
    this.child = spawn(process.execPath, [bin, ...args], {
      env: { ...process.env, ...env },
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout?.on("data", (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr?.on("data", (chunk: Buffer) => (this.err += chunk.toString()));
    this.ended = new Promise((resolve, reject) => {
      this.child.on("error", reject);
      this.child.on("close", (code, signal) =>
        resolve({ exit: code ?? (signal === null ? 1 : 128), out: this.out, err: this.err }),
      );
    });
  }
}

/** Runs `kindling` to its end. */
export function kindling(args: readonly string[], env?: NodeJS.ProcessEnv, cwd?: string): Promise<Ended> {
  return new Kindling(args, env, cwd).ended;
}

/** The `namespace:pod` in the output of a submission. */
export function submissionIdIn(text: string): string {
  return /submission ID (\S+)/.exec(text)?.[1] ?? "";
}
