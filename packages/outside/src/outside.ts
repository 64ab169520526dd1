import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";
import { systemRandom, type Random } from "./random.ts";

/** Environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a program. A function names the members that it needs: `Pick<Outside, "clock" | "env">`. Disk and
 * network are separate functions, which are passed in addition where they are needed.
 */
export interface Outside {
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Env;
  /** The folder that relative paths start from. */
  readonly cwd: string;
}

/** This process's own. */
export function systemOutside(): Outside {
  return { clock: systemClock, random: systemRandom(), env: process.env, cwd: process.cwd() };
}
