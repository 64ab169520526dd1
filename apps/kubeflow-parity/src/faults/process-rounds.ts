// Lives of applications with an operator process that is killed at random moments.
import { LIVES, playedLife } from "@kindling/operator/testing";
import type { Random } from "@kindling/test-kit/random";
import { startMortalProcess } from "./mortal-process.ts";
import type { OpenPlace } from "./place.ts";
import { type Played, playAll } from "./play-all.ts";

/** A process uses the real time, so the drivers use it too. */
const FASTER = 1;
/** How many applications live at the same time, all of them under one operator. */
const AT_ONCE = 32;

export interface ProcessRounds {
  /** How often the operator was killed in total. */
  readonly deaths: number;
  /** Each with the number of times that the operator was killed during the life. */
  readonly rounds: readonly Played[];
}

/**
 * Kills the operator process again and again while random lives are played.
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
