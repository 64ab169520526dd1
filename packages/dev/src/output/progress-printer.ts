import type { Output } from "@kindling/command-line";
import { formatProgress, type Progress } from "./progress.ts";

/** Shows the progress of something: on a terminal in one line, otherwise in a few lines. */
export function progressPrinter(output: Output): (progress: Progress) => void {
  let shown: { readonly what: string; readonly step: number } | undefined;
  return (progress) => {
    const { what, done, total } = progress;
    // A terminal can show many updates of one line; a file should get only a few lines.
    const steps = output.interactive ? 200 : 10;
    const step = total === undefined ? Math.floor(done / (16 * 1024 * 1024)) : Math.floor((done / total) * steps);
    if (shown?.what === what && shown.step === step) return;
    shown = { what, step };
    const line = formatProgress(progress);
    output.rewrite(line);
    const isDone = total !== undefined && done >= total;
    if (!output.interactive) output.err(`${line}\n`);
    else if (isDone) output.err("\n");
  };
}
