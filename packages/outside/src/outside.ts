import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";
import { systemRandom, type Random } from "./random.ts";

/** Environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * What a program asks of the world around it. A function names the members that it needs: `Pick<Outside, "clock" | "env">`.
 * Disk and network are functions of their own, given beside it where they are needed.
 */
export interface Outside {
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Env;
  /** What relative paths are relative to. */
  readonly cwd: string;
}

/** This process's own. */
export function systemOutside(): Outside {
  return { clock: systemClock, random: systemRandom(), env: process.env, cwd: process.cwd() };
}
