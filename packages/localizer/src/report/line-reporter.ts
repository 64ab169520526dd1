import type { Clock } from "@kindling/outside";
import type { ResolvedFile } from "../config/localizer-config.ts";
import type { FileOutcome, Reporter } from "../localize-options.ts";
import { lineAllowance, type LineAllowance } from "./line-allowance.ts";
import type { Redactor } from "@kindling/core-spec";
import { shownText } from "./shown-text.ts";

const PROGRESS_MS = 10_000;
// A server that fails immediately may do so thousands of times before the deadline.
const PROBLEMS_OF_A_FILE = { lines: 5, periodMs: 60_000 };
const PROBLEMS_OF_ALL = { lines: 100, periodMs: 10_000 };

export interface LineReporter extends Reporter {
  /** Reports the outcome of the run, and stops reporting. */
  finish(outcome: "done" | "failed"): void;
}

export interface LineReporterOptions {
  readonly write: (line: string) => void;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

/** What was reported about one file's problems. */
interface Problems {
  readonly allowance: LineAllowance;
  untold: number;
}

/**
 * Writes one line for each file that is in its place, and one every ten seconds for each file that takes longer. Of the
 * problems after which the run goes on, it reports the first few of each file and of all files. Then it reports one every
 * minute, with the number of problems in between.
 */
export function lineReporter({ write, clock, redactor }: LineReporterOptions): LineReporter {
  const begun = clock.monotonic();
  const running = new Map<ResolvedFile, { bytes: number; reported: number; at: number }>();
  const problems = new Map<ResolvedFile, Problems>();
  const allowanceOfAll = lineAllowance(PROBLEMS_OF_ALL.lines, PROBLEMS_OF_ALL.periodMs);
  let files = 0;
  let bytes = 0;
  let cancel: () => void = () => undefined;
  const line = (text: string): void => write(`${shownText(text, redactor)}\n`);

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

  const problemsOf = (file: ResolvedFile): Problems => {
    const { lines, periodMs } = PROBLEMS_OF_A_FILE;
    const of = problems.get(file) ?? { allowance: lineAllowance(lines, periodMs), untold: 0 };
    problems.set(file, of);
    return of;
  };

  return {
    received(file, count) {
      const state = running.get(file);
      if (state === undefined) running.set(file, { bytes: count, reported: 0, at: clock.monotonic() });
      else state.bytes += count;
    },
    retrying(file, problem, waitMs) {
      const of = problemsOf(file);
      const now = clock.monotonic();
      if (!of.allowance.take(now) || !allowanceOfAll.take(now)) {
        of.untold++;
        return;
      }
      const untold = of.untold === 0 ? "" : ` (and ${of.untold} problems before that)`;
      of.untold = 0;
      line(`wait ${file.to}: ${problem}; again in ${seconds(waitMs / 1000)}${untold}`);
    },
    done(file, outcome) {
      running.delete(file);
      problems.delete(file);
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
