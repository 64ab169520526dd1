/**
 * Calls once, for the first of some signals to this process. A second one, of whichever kind, then ends the process at
 * once, as without a handler.
 *
 * @returns takes the handlers away
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
