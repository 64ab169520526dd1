// @ts-check
/**
 * The results of a function for each item, in the order of the items.
 *
 * @template T
 * @template R
 * @param {readonly T[]} items
 * @param {number} most how many are under way at once
 * @param {(item: T) => Promise<R>} run
 * @returns {Promise<R[]>}
 */
export async function inParallel(items, most, run) {
  /** @type {R[]} */
  const results = [];
  const entries = items.entries();
  const worker = async () => {
    for (const [index, item] of entries) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}
