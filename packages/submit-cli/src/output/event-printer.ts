import { harmlessText } from "@kindling/core-spec";
import {
  type Application,
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

// A notice is made of our own words, names, and at most 1 KiB of what somebody else says.
const LONGEST_NOTICE = 4096;

/** Tells what happens: in a few words to a person, in Spark's own to a log, which tools may read. */
export function eventPrinter(output: Output, logs: boolean, now: () => number): (event: SubmissionEvent) => void {
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
        if (output.interactive) {
          const line = stateLine(output, event.state);
          // What changed may be nothing that is shown to a person.
          if (line !== shownState) say(line);
          shownState = line;
        } else say(`State changed, new state: ${describePod(event.state)}`);
        return;
      case "log":
        // With --logs the log is the result; everything else goes to the other stream.
        if (logs) output.log(event.line);
        return;
      case "finished":
        say(finishedText(output, event.application, event.state));
        return;
      case "diagnosis":
        if (event.diagnosis.findings.length > 0)
          say(
            diagnosisText(event.diagnosis, {
              palette: output,
              now: now(),
              submissionId: event.application.submissionId,
            }),
          );
    }
  };
}

function submittedText({ name, id, submissionId }: Application, existed: boolean): string {
  const what = `Spark application ${harmlessText(name)} with application ID ${id} and submission ID ${submissionId}`;
  return existed ? `${what} existed already; nothing was submitted again` : `Deployed ${what} into Kubernetes`;
}

/** Who repeats a submission may want another run, and is told of the one before. */
function endedBefore(output: Output, { submissionId }: Application, { phase }: PodState): string {
  const what = `it ended before this submission: ${phase}; for another run, kindling kill ${submissionId} or another --submission-id`;
  return `${paint(output, "yellow", "note:")} ${what}`;
}

function stateLine(output: Output, state: PodState): string {
  const driver = state.containers.at(-1);
  const waiting = driver?.state === "waiting" && driver.reason !== "ContainerCreating" ? driver.reason : undefined;
  const why = waiting ?? state.reason;
  const color = state.phase === "Failed" ? "red" : state.phase === "Pending" ? "dim" : "green";
  const where = state.node === undefined ? "" : ` on ${state.node}`;
  const more = why === undefined ? "" : ` (${why}${state.message === undefined ? "" : `: ${state.message}`})`;
  return `${paint(output, color, state.deleting ? "Terminating" : state.phase)} ${state.name}${where}${more}`;
}

function finishedText(output: Output, { name, id, submissionId }: Application, state: PodState | undefined): string {
  const end = `Application ${harmlessText(name)} with application ID ${id} and submission ID ${submissionId} finished`;
  if (output.interactive) return state?.phase === "Succeeded" ? paint(output, "green", end) : paint(output, "red", end);
  const containers = state === undefined || state.containers.length === 0 ? undefined : describeContainers(state);
  return `${containers === undefined ? "No containers were found in the driver pod." : `Container final statuses:\n\n${containers}`}\n${end}`;
}
