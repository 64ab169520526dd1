import { createRedactor, terminalText } from "@kindling/core-spec";
import { formatProgress, type Progress } from "./progress.ts";

/**
 * Where a command writes: results to `out`, everything else to `err`. What Spark's own tools say and what servers answer
 * ends up in messages, so nothing that a terminal would obey gets past here, nor the login of a URI such as that of a
 * package index.
 */
export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** Shows how far something is: in place on a terminal, else a line now and then. */
  progress(progress: Progress): void;
}

/** The process's own streams. */
export function processOutput(stderr: NodeJS.WriteStream, stdout: NodeJS.WriteStream): Output {
  const redactor = createRedactor();
  const clean = (text: string): string => terminalText(redactor.clean(text));
  let shown: { readonly what: string; readonly step: number } | undefined;
  return {
    out: (text) => void stdout.write(clean(text)),
    err: (text) => void stderr.write(clean(text)),
    progress(progress) {
      const { what, done, total } = progress;
      const isDone = total !== undefined && done >= total;
      // A terminal can take a hundred updates of one line; a file should hold a few lines.
      const steps = stderr.isTTY ? 200 : 10;
      const step = total === undefined ? Math.floor(done / (16 * 1024 * 1024)) : Math.floor((done / total) * steps);
      if (shown?.what === what && shown.step === step) return;
      shown = { what, step };
      const line = clean(formatProgress(progress));
      stderr.write(stderr.isTTY ? `\r\u001B[K${line}${isDone ? "\n" : ""}` : `${line}\n`);
    },
  };
}
