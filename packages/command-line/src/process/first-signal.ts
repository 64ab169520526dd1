/**
 * Calls a function once, for the first of some signals to this process. A second signal of any kind ends the process at once,
 * as without a handler.
 *
 * @returns a function that removes the handlers
 */
export function onFirstSignal(names: readonly NodeJS.Signals[], call: (name: NodeJS.Signals) => void): () => void {
  const release = (): void => {
    for (const name of names) process.removeListener(name, listener);
  };
  const listener = (name: NodeJS.Signals): void => {
    release();
    call(name);
  };
  for (const name of names) process.on(name, listener);
  return release;
}
