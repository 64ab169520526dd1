// Lives of applications whose operator is killed at its requests.
import { crashRoundIn, LIVES } from "./source.mjs";
import { playAll } from "./play-all.mjs";

/** So many applications live at a time. */
const AT_ONCE = 16;
/** Of so many rounds, one has an operator that is killed twice. */
const TWICE_IN = 4;
/** Later deaths than the last request of the longest life do not come to pass. */
const SPARE_REQUESTS = 2;

/**
 * Kills operators at random requests of random lives.
 *
 * @param {object} options
 * @param {number} options.count how many lives
 * @param {(faster: number) => Promise<object>} options.cluster where, such as `embeddedStage`
 * @param {number} options.faster so many seconds pass in one
 * @param {() => number} [options.random] uniform in [0, 1)
 * @returns {Promise<{deaths: number, faults: readonly {kind: string, text: string}[]}[]>} what came of each of them, and
 * of one more of every life that nothing happened to
 */
export async function crashRounds({ count, cluster, faster, random = Math.random }) {
  const { stage, stop } = await cluster(faster);
  try {
    // How many requests each life takes when nothing happens.
    const lengths = new Map();
    const undisturbed = await playAll(stage, {
      ...{ what: "undisturbed", atOnce: LIVES.length, rounds: LIVES },
      async play(namespace, life) {
        const round = await crashRoundIn(stage, namespace, life, []);
        lengths.set(life, round.requests);
        return round;
      },
    });
    const below = (limit) => Math.floor(random() * limit);
    const death = (life) => ({ atRequest: 1 + below(lengths.get(life) + SPARE_REQUESTS), isSent: random() < 0.5 });
    const rounds = Array.from({ length: count }, () => {
      const life = LIVES[below(LIVES.length)];
      return { life, deaths: Array.from({ length: below(TWICE_IN) === 0 ? 2 : 1 }, () => death(life)) };
    });
    const disturbed = await playAll(stage, {
      ...{ what: "killed", atOnce: AT_ONCE, rounds },
      play: (namespace, { life, deaths }) => crashRoundIn(stage, namespace, life, deaths),
    });
    return [...undisturbed, ...disturbed];
  } finally {
    await stop();
  }
}
