/** A small generator of random numbers (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * What a generator of values draws with. The same seed draws the same.
 *
 * @param {number} seed
 */
export function drawing(seed) {
  const random = randomOf(seed);
  const below = (bound) => Math.floor(random() * bound);
  const one = (...values) => values[below(values.length)];
  const maybe = (chance, make) => (random() < chance ? make() : undefined);
  const some = (most, make) => Array.from({ length: below(most + 1) }, (_, index) => make(index));
  return { below, one, maybe, some };
}
