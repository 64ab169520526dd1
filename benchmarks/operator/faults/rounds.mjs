// Lives of applications whose operator is killed again and again.
import { sourceModules } from "../source-modules.mjs";

/** So many applications live at a time. */
const AT_ONCE = 16;
/** Of so many rounds, one has an operator that is killed twice. */
const TWICE_IN = 4;
/** Later deaths than the last request of the longest life do not come to pass. */
const SPARE_REQUESTS = 2;

/**
 * Kills operators at random requests of random lives, and counts what went wrong.
 *
 * @param {object} options
 * @param {number} options.rounds how many lives
 * @param {() => Promise<{stage: object, stop: () => Promise<void>}>} options.cluster where, such as `embeddedStage`
 * @param {() => number} [options.random] uniform in [0, 1)
 * @returns {Promise<{rounds: number, deaths: number, doubleDrivers: number, falseFailures: number, wrongAttempts: number, others: number, seconds: number, faults: readonly string[]}>}
 */
export async function crashRounds({ rounds, cluster, random = Math.random }) {
  const { crashRound, LIVES } = await sourceModules([
    "../test/faults/rounds/crash-round.ts",
    "../test/faults/rounds/lives.ts",
  ]);
  const { stage, stop } = await cluster();
  const began = performance.now();
  const run = `rounds-${process.pid}`;
  const play = (name, life, deaths) => crashRound(stage, `${run}-${name}`, life, deaths);
  const results = [];
  try {
    // How many requests each life takes when nothing happens.
    const lengths = new Map();
    for (const [index, life] of LIVES.entries()) {
      const round = await play(`undisturbed-${index}`, life, []);
      results.push(round);
      lengths.set(life, round.requests);
    }
    const below = (count) => Math.floor(random() * count);
    const death = (life) => ({ atRequest: 1 + below(lengths.get(life) + SPARE_REQUESTS), isSent: random() < 0.5 });
    const numbers = Array.from({ length: rounds }, (_, index) => index).values();
    const work = async () => {
      for (const number of numbers) {
        const life = LIVES[below(LIVES.length)];
        const deaths = Array.from({ length: below(TWICE_IN) === 0 ? 2 : 1 }, () => death(life));
        results.push(await play(String(number), life, deaths));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await stop();
  }
  return summary(rounds, results, (performance.now() - began) / 1000);
}

function summary(rounds, results, seconds) {
  const faults = results.flatMap((round) => round.faults);
  const count = (...kinds) => faults.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    rounds,
    deaths: results.reduce((sum, round) => sum + round.deaths, 0),
    doubleDrivers: count("double driver", "no driver"),
    falseFailures: count("false failure", "stuck"),
    wrongAttempts: count("wrong attempts"),
    others: count("other name", "leftover"),
    seconds,
    faults: faults.map(({ kind, text }) => `${kind}: ${text}`),
  };
}
