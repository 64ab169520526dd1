import { reserved, type Run, type RunRecord, type Stage } from "@kindling/recorder-client";
import type { Change } from "./change.ts";
import { stageChanges } from "./stage-changes.ts";

/** What is different between two runs. */
export interface Differences {
  readonly before: Run;
  readonly after: Run;
  /** How they went: state, duration, what they reserved. Those that are equal are among them. */
  readonly course: readonly Change[];
  /** Entries of the configuration, image, version. */
  readonly configuration: readonly Change[];
  /** The seconds that executors spent on stages, by the stages' names; those first that differ most. */
  readonly stages: readonly Change[];
}

/** What is kept of a run. */
export interface ComparedRun {
  readonly record: RunRecord;
  readonly stages: readonly Stage[];
}

/** Entries that are different in each run, and say nothing. */
const OF_EACH_RUN =
  /^spark\.(?:app\.(?:id|submitTime|startTime)|driver\.(?:host|port)|kubernetes\.(?:submission|driver\.pod\.name|executor\.podNamePrefix)|app\.initial\.)|\.secret|^spark\.kubernetes\.resource\.type$/;

/** Compares two runs. Pure. */
export function differences({ record: before, stages }: ComparedRun, after: ComparedRun): Differences {
  return {
    before: before.run,
    after: after.record.run,
    course: changes(courseOf(before), courseOf(after.record)),
    configuration: changes(settingsOf(before), settingsOf(after.record)).filter((one) => one.before !== one.after),
    stages: stageChanges(stages, after.stages),
  };
}

type Values = Readonly<Record<string, string | number | undefined>>;

function courseOf({ run, executorEnds, node }: RunRecord): Values {
  const { coreSeconds, gibSeconds } = reserved(run.usage);
  const ends = Object.entries(executorEnds).map(([reason, count]) => [`executors ended: ${reason}`, count] as const);
  return {
    state: run.state,
    seconds: Math.round((run.ended - run.started) / 1000),
    executors: run.executors,
    "core hours": Math.round((coreSeconds / 3600) * 1000) / 1000,
    "GiB hours": Math.round((gibSeconds / 3600) * 1000) / 1000,
    why: run.why,
    "driver on node": node,
    ...Object.fromEntries(ends),
  };
}

function settingsOf({ run, image, configuration = {} }: RunRecord): Values {
  const entries = Object.entries(configuration).filter(([key]) => !OF_EACH_RUN.test(key));
  return { image, "Spark version": run.sparkVersion, queue: run.queue, ...Object.fromEntries(entries) };
}

function changes(before: Values, after: Values): readonly Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .map((name): Change => ({ name, before: before[name], after: after[name] }))
    .filter((change) => change.before !== undefined || change.after !== undefined);
}
