// Lives of applications. The operator is killed at one of its requests.
import { crashRoundIn, type Death, type Life, LIVES } from "@kindling/operator/testing";
import type { Random } from "@kindling/test-kit/random";
import type { OpenPlace } from "./place.ts";
import { type Played, playAll } from "./play-all.ts";

/** How many applications live at the same time. */
const AT_ONCE = 16;
/** In one of this many rounds, the operator is killed twice. */
const TWICE_IN = 4;
/** How far after the last request of a life a death may be planned. Such a death does not happen, except in a longer life. */
const SPARE_REQUESTS = 2;

export interface CrashRoundsOptions {
  /** How many lives. */
  readonly count: number;
  readonly open: OpenPlace;
  /** How many seconds pass in one real second. */
  readonly faster: number;
  readonly random: Random;
}

/**
 * Kills operators at random requests of random lives.
 *
 * @returns the results of all of them, and of one undisturbed round of every life
 */
export async function crashRounds({ count, open, faster, random }: CrashRoundsOptions): Promise<Played[]> {
  const { stage, stop } = await open(faster);
  try {
    // How many requests each life takes when nothing happens.
    const lengths = new Map<Life, number>();
    const undisturbed = await playAll(stage, {
      ...{ what: "undisturbed", atOnce: LIVES.length, rounds: LIVES },
      async play(namespace, life) {
        const round = await crashRoundIn(stage, namespace, life, []);
        lengths.set(life, round.requests);
        return round;
      },
    });
    const death = (life: Life): Death => ({
      atRequest: 1 + random.below((lengths.get(life) ?? 0) + SPARE_REQUESTS),
      isSent: random.chance(0.5),
    });
    const rounds = Array.from({ length: count }, () => {
      const life = random.pick(LIVES);
      return { life, deaths: Array.from({ length: random.below(TWICE_IN) === 0 ? 2 : 1 }, () => death(life)) };
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
