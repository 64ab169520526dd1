// @ts-check

/**
 * Takes samples of several ways by turns, so that other load on the computer affects all of them in the same way.
 *
 * @template {string} N
 * @template S
 * @param {number} rounds
 * @param {Readonly<Record<N, (() => S | Promise<S>) | undefined>>} ways by their names; one that is undefined is left out
 * @param {object} [options]
 * @param {number} [options.warmUp] how many rounds to run first without counting their samples
 * @returns {Promise<Record<N, S[]>>} the samples of each way, in the order of the rounds
 */
export async function byTurns(rounds, ways, { warmUp = 0 } = {}) {
  const names = /** @type {N[]} */ (Object.keys(ways));
  /** @type {S[]} */
  const none = [];
  const samples = /** @type {Record<N, S[]>} */ (Object.fromEntries(names.map((name) => [name, [...none]])));
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of names) {
      const way = ways[name];
      if (way === undefined) continue;
      const sample = await way();
      if (round >= 0) samples[name].push(sample);
    }
  }
  return samples;
}
