import { spawn } from "node:child_process";
import { once } from "node:events";
import { kindlingCommand } from "../operators/operators.ts";

/** What the operator logs when it begins to act. */
const ACTS = "the cluster has been listed";
/** One in this many processes can be killed before it begins to act. */
const EARLY_IN = 4;
/**
 * The longest time in milliseconds after which a process is killed, counted from its start or from the moment when it begins to
 * act.
 */
const LONGEST_MS = 2000;
const KEPT_LOG = 10_000;

export interface MortalProcess {
  /** Resolves when the operator has been stopped. Rejects when the operator ended by itself; it is not started again then. */
  readonly ended: Promise<void>;
  /** How often it has been killed so far. */
  readonly deaths: number;
  stop(): void;
}

/**
 * Kindling's operator as a process for namespaces with a label. It is killed at random moments and started again, until it is
 * stopped.
 *
 * @param flags the cluster and the label
 * @param random uniform in [0, 1)
 */
export function startMortalProcess(flags: readonly string[], random: () => number): MortalProcess {
  const { command, args, env } = kindlingCommand("", flags);
  let deaths = 0;
  const over = new AbortController();
  let kill = (): void => undefined;

  async function liveAgainAndAgain(): Promise<void> {
    while (!over.signal.aborted) {
      const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
      kill = () => void child.kill("SIGKILL");
      let timer: NodeJS.Timeout | undefined;
      const dieSoon = (): void => void (timer ??= setTimeout(kill, random() * LONGEST_MS));
      if (random() * EARLY_IN < 1) dieSoon();
      let log = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => {
          log = (log + text).slice(-KEPT_LOG);
          if (log.includes(ACTS)) dieSoon();
        });
      const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
      clearTimeout(timer);
      if (signal !== "SIGKILL") throw new Error(`the operator ended by itself with ${code ?? signal}: ${log}`);
      if (!over.signal.aborted) deaths += 1;
    }
  }

  const ended = liveAgainAndAgain();
  ended.catch(() => undefined);
  return {
    ended,
    get deaths() {
      return deaths;
    },
    stop() {
      over.abort();
      kill();
    },
  };
}
