import { readFile } from "node:fs/promises";
import type { Clock } from "@kindling/outside";

export interface WatchedFiles {
  close(): void;
}

/**
 * Calls back when the contents of some files change. They are read again and compared: Kubernetes replaces the files of
 * a Secret by swapping links, which file system watches miss or see twice.
 */
export async function watchFiles(
  paths: readonly string[],
  options: { readonly clock: Clock; readonly intervalSeconds: number; readonly onChange: () => Promise<void> },
): Promise<WatchedFiles> {
  let last = await contents(paths);
  let closed = false;
  let cancel: () => void = () => undefined;
  const look = async (): Promise<void> => {
    const now = await contents(paths);
    if (now !== last && !closed) {
      last = now;
      await options.onChange();
    }
    schedule();
  };
  function schedule(): void {
    if (!closed && paths.length > 0) cancel = options.clock.after(options.intervalSeconds * 1000, () => void look());
  }
  schedule();
  return {
    close() {
      closed = true;
      cancel();
    },
  };
}

async function contents(paths: readonly string[]): Promise<string> {
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8").catch(() => "")));
  return JSON.stringify(texts);
}
