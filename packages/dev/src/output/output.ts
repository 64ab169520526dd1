import { formatProgress, type Progress } from "./progress.ts";

/** Where a command writes: results to `out`, everything else to `err`. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** Shows how far something is: in place on a terminal, else a line now and then. */
  progress(progress: Progress): void;
}

/** The process's own streams. */
export function processOutput(stderr: NodeJS.WriteStream, stdout: NodeJS.WriteStream): Output {
  let shown: { readonly what: string; readonly step: number } | undefined;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    progress(progress) {
      const { what, done, total } = progress;
      const isDone = total !== undefined && done >= total;
      // A terminal can take a hundred updates of one line; a file should hold a few lines.
      const steps = stderr.isTTY ? 200 : 10;
      const step = total === undefined ? Math.floor(done / (16 * 1024 * 1024)) : Math.floor((done / total) * steps);
      if (shown?.what === what && shown.step === step) return;
      shown = { what, step };
      const line = formatProgress(progress);
      stderr.write(stderr.isTTY ? `\r\u001B[K${line}${isDone ? "\n" : ""}` : `${line}\n`);
    },
  };
}
