import { readFileSync } from "node:fs";
import type { ResolvedConfig, ResolvedFile } from "./config/localizer-config.ts";
import { openSources, type Sources } from "./fetch/open-sources.ts";
import { clearLeftOvers, localizeFile, type FileRun } from "./localize-file.ts";
import type { LocalizeOptions, Reporter } from "./localize-options.ts";
import { failureOf, shownOrigin } from "./report/failure-of.ts";
import { isLocalizerError, LocalizerError } from "./report/localizer-error.ts";
import { turns } from "./turns.ts";

// Each unpacking takes memory, and an init container has only one or two processors.
const MOST_UNPACKED_AT_ONCE = 4;

/**
 * Puts all files of a configuration in their places, several at a time. Files that are there already are left alone, and
 * partial files of an earlier run are continued. The first failure ends the run; partial files stay, so that the next run
 * can resume.
 *
 * @throws LocalizerError
 */
export async function localize(config: ResolvedConfig, given: LocalizeOptions): Promise<void> {
  const { clock, signal } = given;
  const stop = new AbortController();
  const underWay = new Set<ResolvedFile>();
  const { reporter, problems } = rememberingProblems(given.reporter);
  const outside = { ...given, reporter };
  const interrupt = (): void => {
    const reason: unknown = signal?.reason;
    stop.abort(isLocalizerError(reason) ? reason : new LocalizerError("interrupted", "told to stop"));
  };
  if (signal?.aborted === true) interrupt();
  signal?.addEventListener("abort", interrupt, { once: true });
  const cancelDeadline = clock.after(config.deadlineSeconds * 1000, () =>
    stop.abort(deadlineError(config, [...underWay], problems)),
  );
  const sources = openSources(config, outside);
  try {
    await localizeAll(config, outside, sources, stop, underWay);
  } finally {
    cancelDeadline();
    signal?.removeEventListener("abort", interrupt);
    sources.close();
  }
}

/** Remembers the current problem of each file, for the error at the deadline. */
function rememberingProblems(reporter: Reporter): { reporter: Reporter; problems: ReadonlyMap<ResolvedFile, string> } {
  const problems = new Map<ResolvedFile, string>();
  return {
    problems,
    reporter: {
      received(file, bytes) {
        problems.delete(file);
        reporter.received(file, bytes);
      },
      retrying(file, problem, waitMs) {
        problems.set(file, problem);
        reporter.retrying(file, problem, waitMs);
      },
      done: (file, outcome) => reporter.done(file, outcome),
    },
  };
}

function deadlineError(
  { deadlineSeconds }: ResolvedConfig,
  underWay: readonly ResolvedFile[],
  problems: ReadonlyMap<ResolvedFile, string>,
): LocalizerError {
  const [problem] = underWay.flatMap((file) => problems.get(file) ?? []);
  const why = problem === undefined ? "" : `; the last problem: ${problem}`;
  return new LocalizerError("deadline", `not done within ${deadlineSeconds} s${why}`, {
    ...(underWay.length > 0 && { file: underWay.map((file) => `${shownOrigin(file)} to ${file.to}`).join(", ") }),
    hint: `${problem === undefined ? "is the network slow? " : ""}deadlineSeconds is the time that all files may take together`,
  });
}

async function localizeAll(
  config: ResolvedConfig,
  outside: LocalizeOptions,
  sources: Sources,
  stop: AbortController,
  underWay: Set<ResolvedFile>,
): Promise<void> {
  const { clock, reporter } = outside;
  const run: FileRun = {
    config,
    outside,
    sources,
    bootId: bootId(),
    unpacking: turns(MOST_UNPACKED_AT_ONCE),
    signal: stop.signal,
  };
  // The remains of an earlier run are removed before their room is needed.
  for (const file of config.files) {
    await clearLeftOvers(file, run).catch((error: unknown) => stop.abort(failureOf(error, file, config)));
  }
  const queue = [...config.files];
  const work = async (): Promise<void> => {
    for (let file = queue.shift(); file !== undefined && !stop.signal.aborted; file = queue.shift()) {
      underWay.add(file);
      const started = clock.monotonic();
      try {
        const placed = await localizeFile(file, run);
        reporter.done(file, { ...placed, seconds: (clock.monotonic() - started) / 1000 });
      } catch (error) {
        // The first failure counts, because it may have caused the others.
        stop.abort(failureOf(error, file, config));
      }
      underWay.delete(file);
    }
  };
  await Promise.all(Array.from({ length: Math.min(config.parallel, queue.length) }, work));
  stop.signal.throwIfAborted();
}

/** Changes when the machine is restarted; empty on systems without a boot id. */
function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return "";
  }
}
