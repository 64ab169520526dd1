import type { Env } from "../conf/spark-env.ts";
import type { Output } from "../output/terminal.ts";

/** What every command is given of the process it runs in. */
export interface CommandContext {
  readonly env: Env;
  readonly cwd: string;
  readonly output: Output;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
