/** What a promise resolves to, or undefined as soon as one of the signals aborts; the promise itself continues. */
export function untilAborted<T>(
  promise: Promise<T>,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      for (const signal of signals) signal?.removeEventListener("abort", abort);
    };
    const abort = (): void => {
      leave();
      resolve(undefined);
    };
    for (const signal of signals) signal?.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(leave);
  });
}
