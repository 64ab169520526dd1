import { harmlessText } from "@kindling/core-spec";
import {
  type Application,
  applicationPhase,
  describeContainers,
  describePod,
  isFinished,
  type PodState,
  type SubmissionEvent,
  withoutUserInfo,
} from "@kindling/submit";
import { paint, type Output } from "@kindling/command-line";
import { diagnosisText } from "./diagnosis-text.ts";
import { stagedText, transferBar } from "./transfer-bar.ts";

// A notice consists of Kindling's own words, names, and at most 1 KiB of text from outside.
const LONGEST_NOTICE = 4096;

export interface EventPrinterOptions {
  /** Whether the driver's log is shown. */
  readonly logs: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** `spark`: states and the end in spark-submit's words, for programs that read its log. */
  readonly words?: "spark";
}

/** Prints what happens, one line for each state; or in Spark's own words. */
export function eventPrinter(
  output: Output,
  { logs, now, words }: EventPrinterOptions,
): (event: SubmissionEvent) => void {
  const bar = transferBar(output);
  let shownState = "";
  const say = (text: string): void => {
    bar.clear();
    output.err(`${text}\n`);
  };
  return (event) => {
    switch (event.type) {
      case "notice":
        say(`${paint(output, "yellow", "note:")} ${harmlessText(event.message, LONGEST_NOTICE)}`);
        return;
      case "uploading":
        say(`Uploading file: ${event.source} to dest: ${withoutUserInfo(event.destination)}...`);
        return;
      case "staging":
        if (event.progress.done) say(stagedText(event.progress));
        else bar.show(event.progress);
        return;
      case "submitted":
        say(submittedText(event.application, event.existed));
        if (event.existed && event.state !== undefined && isFinished(event.state))
          say(endedBefore(output, event.application, event.state));
        return;
      case "state":
        if (words === "spark") say(`State changed, new state: ${describePod(event.state)}`);
        else {
          const line = stateLine(output, event.application, event.state);
          // A change may be in a part that is not shown to people.
          if (line !== shownState) say(line);
          shownState = line;
        }
        return;
      case "log":
        // With --logs the log is the result; everything else goes to the other stream.
        if (logs) output.log(event.line);
        return;
      case "finished":
        say(
          words === "spark"
            ? finishedText(event.application, event.state)
            : endedText(output, event.application, event.state),
        );
        return;
      case "diagnosis":
        if (event.diagnosis.findings.length > 0)
          say(
            diagnosisText(event.diagnosis, {
              palette: output,
              now: now(),
              logsCommand: logs ? undefined : `kindling logs ${event.application.submissionId}`,
            }),
          );
    }
  };
}

function submittedText({ name, id, submissionId }: Application, existed: boolean): string {
  const what = `Spark application ${harmlessText(name)} with application ID ${id} and submission ID ${submissionId}`;
  return existed ? `${what} existed already; nothing was submitted again` : `Deployed ${what} into Kubernetes`;
}

/** A user who repeats a submission may want another run, so the first run is mentioned. */
function endedBefore(output: Output, { submissionId, driverContainer }: Application, state: PodState): string {
  const phase = applicationPhase(state, driverContainer);
  const what = `it ended before this submission: ${phase}; for another run, kindling kill ${submissionId} or another --submission-id`;
  return `${paint(output, "yellow", "note:")} ${what}`;
}

function stateLine(output: Output, { driverContainer }: Application, state: PodState): string {
  const driver = state.containers.find(({ name }) => name === driverContainer);
  const waiting = driver?.state === "waiting" && driver.reason !== "ContainerCreating" ? driver.reason : undefined;
  const ended = driver?.state === "terminated" && driver.exitCode !== 0 ? `exit code ${driver.exitCode}` : undefined;
  const why = waiting ?? state.reason ?? ended;
  const phase = applicationPhase(state, driverContainer);
  const color = phase === "Failed" ? "red" : phase === "Pending" ? "dim" : "green";
  const where = state.node === undefined ? "" : ` on ${state.node}`;
  const more = why === undefined ? "" : ` (${why}${state.message === undefined ? "" : `: ${state.message}`})`;
  return `${paint(output, color, state.deleting ? "Terminating" : phase)} ${state.name}${where}${more}`;
}

/** How it ended, in the words of the other commands. */
function endedText(output: Output, application: Application, state: PodState | undefined): string {
  const { name, id, submissionId, driverContainer } = application;
  const what = `Application ${harmlessText(name)} with application ID ${id} and submission ID ${submissionId}`;
  if (state === undefined || state.deleting) return paint(output, "red", `${what} was deleted`);
  if (applicationPhase(state, driverContainer) === "Succeeded") return paint(output, "green", `${what} succeeded`);
  const ended = state.containers.find((one) => one.name === driverContainer);
  const code = ended?.state === "terminated" ? ` with exit code ${ended.exitCode}` : "";
  return paint(output, "red", `${what} failed${code}`);
}

/** The end in Spark's words (LoggingPodStatusWatcherImpl), whatever it was. */
function finishedText({ name, id, submissionId }: Application, state: PodState | undefined): string {
  const end = `Application ${harmlessText(name)} with application ID ${id} and submission ID ${submissionId} finished`;
  const containers = state === undefined || state.containers.length === 0 ? undefined : describeContainers(state);
  return `${containers === undefined ? "No containers were found in the driver pod." : `Container final statuses:\n\n${containers}`}\n${end}`;
}
