import { spawn } from "node:child_process";
import { once } from "node:events";
import { kindlingCommand } from "../load/operators.mjs";

/** What it says when it begins to act. */
const ACTS = "the cluster has been listed";
/** Of so many processes, one is killed before it acts, or soon after. */
const EARLY_IN = 4;
/** How long a process may have, in milliseconds, from its start or since it acts. */
const LONGEST_MS = 2000;
const KEPT_LOG = 10_000;

/**
 * Kindling's operator as a process for namespaces of a label, which is killed at any moment and begun anew, until it is stopped.
 *
 * @param {readonly string[]} flags the cluster and the label
 * @param {() => number} random uniform in [0, 1)
 */
export function startMortalProcess(flags, random) {
  const { command, args, env } = kindlingCommand("", flags);
  let deaths = 0;
  const over = new AbortController();
  let kill = () => {};

  async function liveAgainAndAgain() {
    while (!over.signal.aborted) {
      const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
      kill = () => child.kill("SIGKILL");
      let timer;
      const dieSoon = () => (timer ??= setTimeout(kill, random() * LONGEST_MS));
      if (random() * EARLY_IN < 1) dieSoon();
      let log = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text) => {
          log = (log + text).slice(-KEPT_LOG);
          if (log.includes(ACTS)) dieSoon();
        });
      const [code, signal] = await once(child, "close");
      clearTimeout(timer);
      if (signal !== "SIGKILL") throw new Error(`the operator ended by itself with ${code ?? signal}: ${log}`);
      if (!over.signal.aborted) deaths += 1;
    }
  }

  const ended = liveAgainAndAgain();
  ended.catch(() => {});
  return {
    /** Resolves when it has been stopped; rejects when it ended by itself, after which nobody operates. */
    ended,
    /** How often it has been killed so far. */
    get deaths() {
      return deaths;
    },
    stop() {
      over.abort();
      kill();
    },
  };
}
