/** A user who may not see something, or cannot see it at the moment, learns less, and the work goes on. */
export async function orNothing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch {
    return undefined;
  }
}
