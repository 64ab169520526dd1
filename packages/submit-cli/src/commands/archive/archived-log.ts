import { type CommandContext, type CommandLine, printNotice } from "@kindling/command-line";
import { harmlessText, KindlingError } from "@kindling/core-spec";
import { RecorderError, type Run, type RunRecord } from "@kindling/recorder-client";
import type { ApplicationLogOptions } from "@kindling/submit";
import { diagnosisText } from "../../output/diagnosis-text.ts";
import { findRun, type WantedAttempt, type WantedRun } from "./find-run.ts";
import type { OpenArchive } from "./open-archive.ts";

/** `previous`: the attempt before the one that runs, or ran last. */
export type ChosenAttempt = "previous" | number;

/** The attempt that the command line names; `undefined` if it names none. */
export function chosenAttempt(line: CommandLine): ChosenAttempt | undefined {
  const attempt = line.value("attempt");
  const isPrevious = line.has("previous");
  if (attempt === undefined) return isPrevious ? "previous" : undefined;
  if (isPrevious) throw new KindlingError("ARGUMENT_INVALID", "give --attempt or --previous, and not both");
  if (!/^[1-9]\d{0,4}$/.test(attempt))
    throw new KindlingError("ARGUMENT_INVALID", `--attempt ${attempt}: must be a whole number above 0`);
  return Number(attempt);
}

/** Prints a log that is kept, and says after that of a driver why it failed. */
export async function printArchivedLog(
  archive: OpenArchive,
  wanted: WantedRun,
  options: ApplicationLogOptions & WantedAttempt,
  context: CommandContext,
): Promise<void> {
  refuseUnkept(options);
  const run = await findRun(archive, wanted, options);
  const { recorder } = archive;
  const { executor, tailLines } = options;
  const log = executor === undefined ? "driver" : `executor-${executor}`;
  const lines = recorder.log(run.uid, log, { tailLines });
  // The log is asked for first: it gets the connection that is open.
  const first = lines.next();
  first.catch(() => undefined);
  const record = recorder.record(run.uid);
  record.catch(() => undefined);
  try {
    for (let line = await first; line.done !== true; line = await lines.next()) context.output.log(line.value);
  } catch (error) {
    if (error instanceof RecorderError && error.status === 404)
      throw noLog(run, log, await record.catch(() => undefined));
    throw error;
  }
  tellWhatIsKnown(await record, log, context);
}

/**
 * Prints a log of an application whose driver's pod is there.
 *
 * @returns whether there is one
 */
export async function printLogOf(
  { recorder }: OpenArchive,
  uid: string,
  options: ApplicationLogOptions,
  context: CommandContext,
): Promise<boolean> {
  refuseUnkept(options);
  const { executor, tailLines } = options;
  try {
    const log = recorder.log(uid, executor === undefined ? "driver" : `executor-${executor}`, { tailLines });
    for await (const line of log) context.output.log(line);
    return true;
  } catch (error) {
    if (error instanceof RecorderError && error.status === 404) return false;
    throw error;
  }
}

/** Lines are kept without their times, and of Spark's containers alone. */
function refuseUnkept({ sinceSeconds, timestamps, container }: ApplicationLogOptions): void {
  const asked = [
    sinceSeconds !== undefined && "--since",
    timestamps === true && "--timestamps",
    container !== undefined && "--container",
  ].find((flag) => typeof flag === "string");
  if (asked === undefined) return;
  throw new KindlingError("UNSUPPORTED", `${asked} is for pods that still exist, and this application's are gone`, {
    hint: "leave it out; --tail shows the last lines",
  });
}

function noLog({ namespace, driver }: Run, log: string, record: RunRecord | undefined): KindlingError {
  const names = record?.logs.map(({ name }) => name) ?? [];
  const shown = names.slice(0, 10).join(", ");
  return new KindlingError("OBJECT_NOT_FOUND", `no log ${log} is kept of ${namespace}:${driver}`, {
    hint: names.length === 0 ? "none of its logs is kept" : `there are ${shown}${names.length > 10 ? ", …" : ""}`,
  });
}

function tellWhatIsKnown({ run, logs, findings }: RunRecord, log: string, { output, outside }: CommandContext): void {
  const gap = logs.find(({ name }) => name === log)?.gap;
  if (gap !== undefined) printNotice(`this log is not whole: ${harmlessText(gap)}`, output);
  if (log !== "driver" || run.state === "succeeded" || findings.length === 0) return;
  const now = outside.clock.now();
  output.err(`${diagnosisText({ findings }, { palette: output, now, logsCommand: undefined })}\n`);
}
