/** How executors ended, as the driver tells. */
export interface ExecutorExits {
  readonly code: number;
  /** Their ids, in the order of the log. */
  readonly executors: readonly string[];
  /** RFC 3339: when the first of them was told of. */
  readonly since: string | undefined;
}

// The message of every executor that is lost to its exit (ExecutorPodsLifecycleManager.findExitReason), in the words of
// Spark 3.5 to 4.3.
const EXIT = /The executor with id (\S+) exited with exit code (-?\d+)/;

/** The exits of executors that a driver's log tells of: by exit code, each executor once. */
export function executorExits(lines: readonly string[], times: readonly string[] = []): ExecutorExits[] {
  const codes = new Map<number, { readonly ids: Set<string>; readonly since: string | undefined }>();
  for (const [index, line] of lines.entries()) {
    const [, id, code] = EXIT.exec(line) ?? [];
    if (id === undefined || Number(code) === 0) continue;
    const ended = codes.get(Number(code)) ?? { ids: new Set(), since: times[index] };
    ended.ids.add(id);
    codes.set(Number(code), ended);
  }
  return [...codes].map(([code, { ids, since }]) => ({ code, executors: [...ids], since }));
}
