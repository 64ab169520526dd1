/** Calls `act` for each item, at most `most` at once. The first failure is thrown after all calls that had begun have ended. */
export async function inParallel<T>(items: readonly T[], most: number, act: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const work = async (): Promise<void> => {
    for (const item of rest) await act(item);
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, work));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
