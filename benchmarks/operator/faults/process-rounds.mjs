// Lives of applications whose operator is a process that is killed at any moment.
import { playedLife, LIVES } from "./source.mjs";
import { startMortalProcess } from "./mortal-process.mjs";
import { playAll } from "./play-all.mjs";

/** A process has the time of this machine, and the drivers have the same. */
const FASTER = 1;
/** So many applications live at a time: all of them under one operator. */
const AT_ONCE = 32;

/**
 * Kills the process of the operator again and again while random lives take their course.
 *
 * @param {object} options
 * @param {number} options.count how many lives
 * @param {(faster: number) => Promise<object>} options.cluster where, such as `embeddedStage`
 * @param {() => number} [options.random] uniform in [0, 1)
 * @returns {Promise<{deaths: number, rounds: {deaths: number, faults: readonly {kind: string, text: string}[]}[]}>} how
 * often it was killed in all, and in the course of each life
 */
export async function processRounds({ count, cluster, random = Math.random }) {
  const { stage, kubeconfig, namespaceSelector, stop } = await cluster(FASTER);
  const flags = [`--kubeconfig=${kubeconfig}`, `--namespace-selector=${namespaceSelector}`];
  const operator = startMortalProcess(flags, random);
  try {
    const playing = playAll(stage, {
      ...{ what: "process", atOnce: AT_ONCE },
      rounds: Array.from({ length: count }, () => LIVES[Math.floor(random() * LIVES.length)]),
      async play(namespace, life) {
        const before = operator.deaths;
        const faults = await playedLife(stage, namespace, life);
        const deaths = operator.deaths - before;
        const where = `${life.name}, its process killed ${deaths} times: `;
        return { deaths, faults: faults.map(({ kind, text }) => ({ kind, text: where + text })) };
      },
    });
    const rounds = await Promise.race([playing, operator.ended]);
    return { deaths: operator.deaths, rounds };
  } finally {
    operator.stop();
    await operator.ended.catch(() => {});
    await stop();
  }
}
