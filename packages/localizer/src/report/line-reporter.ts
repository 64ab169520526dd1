import type { Clock } from "@kindling/staging-client";
import type { ResolvedFile } from "../config/localizer-config.ts";
import type { FileOutcome, Reporter } from "../outside.ts";
import { oneLine } from "./one-line.ts";
import type { Redactor } from "./redactor.ts";

const PROGRESS_MS = 10_000;

export interface LineReporter extends Reporter {
  /** Says how it all went, and stops reporting. */
  finish(outcome: "done" | "failed"): void;
}

export interface LineReporterOptions {
  readonly write: (line: string) => void;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

/** One line for each file that is in its place, one every ten seconds for each that takes longer. */
export function lineReporter({ write, clock, redactor }: LineReporterOptions): LineReporter {
  const begun = clock.monotonic();
  const running = new Map<ResolvedFile, { bytes: number; reported: number; at: number }>();
  let files = 0;
  let bytes = 0;
  let cancel: () => void = () => undefined;
  const line = (text: string): void => write(`${oneLine(redactor.clean(text))}\n`);

  const progress = (): void => {
    const now = clock.monotonic();
    for (const [file, state] of running) {
      const rate = ((state.bytes - state.reported) * 1000) / Math.max(1, now - state.at);
      const of = file.size === undefined ? "" : ` of ${size(file.size)}`;
      line(`.... ${file.to}: ${size(state.bytes)}${of}, ${size(Math.max(0, rate))}/s`);
      state.reported = state.bytes;
      state.at = now;
    }
    cancel = clock.after(PROGRESS_MS, progress);
  };
  cancel = clock.after(PROGRESS_MS, progress);

  return {
    received(file, count) {
      const state = running.get(file);
      if (state === undefined) running.set(file, { bytes: count, reported: 0, at: clock.monotonic() });
      else state.bytes += count;
    },
    retrying(file, problem, waitMs) {
      line(`wait ${file.to}: ${problem}; again in ${seconds(waitMs / 1000)}`);
    },
    done(file, outcome) {
      running.delete(file);
      files++;
      bytes += outcome.bytes;
      line(doneLine(file, outcome));
    },
    finish(outcome) {
      cancel();
      const took = seconds((clock.monotonic() - begun) / 1000);
      if (outcome === "done") line(`${files} ${files === 1 ? "file" : "files"}, ${size(bytes)} in ${took}`);
    },
  };
}

function doneLine(file: ResolvedFile, { outcome, bytes, seconds: took, unpacked }: FileOutcome): string {
  if (outcome === "present") return `skip ${file.to}: already there`;
  const entries = unpacked === undefined ? "" : `, ${unpacked} entries unpacked`;
  return `done ${file.to}: ${size(bytes)} in ${seconds(took)}${entries}`;
}

function size(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  for (; value >= 999.95 && unit < units.length - 1; unit++) value /= 1000;
  return `${value.toFixed(1)} ${units[unit]}`;
}

function seconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : Math.round(value)} s`;
}
