/** Runs a function for each of many items, `count` at a time. */
export async function atOnce<T, R>(
  count: number,
  items: Iterable<T>,
  play: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = [...items].entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await play(item, index);
  };
  await Promise.all(Array.from({ length: count }, work));
  return results;
}
