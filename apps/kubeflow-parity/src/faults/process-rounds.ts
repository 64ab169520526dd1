// Lives of applications whose operator is a process that is killed at any moment.
import { LIVES, playedLife } from "@kindling/operator/testing";
import type { Random } from "@kindling/test-kit/random";
import { startMortalProcess } from "./mortal-process.ts";
import type { OpenPlace } from "./place.ts";
import { type Played, playAll } from "./play-all.ts";

/** A process has the time of this machine, and the drivers have the same. */
const FASTER = 1;
/** So many applications live at a time: all of them under one operator. */
const AT_ONCE = 32;

export interface ProcessRounds {
  /** How often the operator was killed in all. */
  readonly deaths: number;
  /** With how often it was killed in the course of each life. */
  readonly rounds: readonly Played[];
}

/**
 * Kills the process of the operator again and again while random lives take their course.
 *
 * @param count how many lives
 */
export async function processRounds(count: number, open: OpenPlace, random: Random): Promise<ProcessRounds> {
  const { stage, kubeconfig, namespaceSelector, stop } = await open(FASTER);
  const flags = [`--kubeconfig=${kubeconfig}`, `--namespace-selector=${namespaceSelector}`];
  const operator = startMortalProcess(flags, () => random.fraction());
  try {
    const playing = playAll(stage, {
      ...{ what: "process", atOnce: AT_ONCE },
      rounds: Array.from({ length: count }, () => random.pick(LIVES)),
      async play(namespace, life): Promise<Played> {
        const before = operator.deaths;
        const faults = await playedLife(stage, namespace, life);
        const deaths = operator.deaths - before;
        const where = `${life.name}, its process killed ${deaths} times: `;
        return { deaths, faults: faults.map(({ kind, text }) => ({ kind, text: where + text })) };
      },
    });
    const ended = operator.ended.then(() => []);
    const rounds = await Promise.race([playing, ended]);
    return { deaths: operator.deaths, rounds };
  } finally {
    operator.stop();
    await operator.ended.catch(() => undefined);
    await stop();
  }
}
