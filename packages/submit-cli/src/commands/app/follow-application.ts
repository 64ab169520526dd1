import { paint, printNotice, type CommandContext, type Output } from "@kindling/command-line";
import { EXIT_CODES, isInterruption } from "@kindling/core-spec";
import { followObject, type KubeClient } from "@kindling/kube";
import { applicationReport, forApplication } from "@kindling/submit";
import { diagnosisText } from "../../output/diagnosis-text.ts";
import { isOver, NEW, type ApplicationView } from "./application-view.ts";
import { visibleDriverPod } from "./driver-pod.ts";
import { operatorError } from "./operator-error.ts";
import { APPLICATIONS } from "./operated-kind.ts";
import type { OperatedObject } from "./operated-object.ts";

/** How long an operator may take for a new application before the user is told that no operator handles it. */
const PATIENCE_MS = 10_000;

/** How an application ended. */
export interface End {
  /** The driver's own exit code, if it failed. */
  readonly exitCode: number;
  /** Its last known state. */
  readonly view: ApplicationView;
  /** `deleted`: it was deleted before it ended. */
  readonly result: "completed" | "failed" | "deleted" | "unfollowed";
}

interface FollowOptions {
  /** The submission before the awaited run; its end is not the end of the run. */
  readonly before?: string | undefined;
}

/**
 * Follows an application to its end, and reports its states. An interrupt does not end the application; the output says how
 * to go on with it.
 *
 * @throws KindlingError
 */
export async function followApplication(
  client: KubeClient,
  object: OperatedObject,
  context: CommandContext,
  options: FollowOptions = {},
): Promise<End> {
  const view = APPLICATIONS.viewOf(object);
  const called = `${view.namespace}:${view.name}`;
  try {
    return await toEnd(client, view, object.metadata?.uid, context, options);
  } catch (error) {
    const known = operatorError(error, APPLICATIONS.type);
    if (!isInterruption(known)) throw known;
    context.output.err(
      `Interrupted; the application goes on.\n  follow it: kindling app status -w ${called}\n  end it:    kindling app delete ${called}\n`,
    );
    return { exitCode: EXIT_CODES.interrupted.code, view, result: "unfollowed" };
  }
}

async function toEnd(
  client: KubeClient,
  first: ApplicationView,
  uid: string | undefined,
  context: CommandContext,
  { before }: FollowOptions,
): Promise<End> {
  const { output, outside, signal } = context;
  const { namespace, name } = first;
  const tellPatience = (): void =>
    printNotice(
      `no operator has looked at ${namespace}:${name} yet; is one installed that serves ${namespace}?`,
      output,
    );
  const stopWaiting = outside.clock.after(PATIENCE_MS, tellPatience);
  let view = first;
  let shown = "";
  // Until the operator has started the run, the visible end is that of the run before.
  let hasBegun = before === undefined;
  try {
    const states = followObject(client, APPLICATIONS.type, name, {
      ...{ namespace, intervalMs: 1000, signal, clock: outside.clock, random: () => outside.random.fraction() },
      onTrouble: ({ message }) => printNotice(message, output),
    });
    for await (const object of states) {
      if (object.metadata?.uid !== uid) break;
      view = APPLICATIONS.viewOf(object);
      hasBegun ||= view.submissionId !== before || !isOver(view.state);
      if (!hasBegun) continue;
      if (view.state !== "") stopWaiting();
      const line = stateLine(view, output);
      if (line !== shown && view.state !== "") {
        output.err(`${line}\n`);
        if (view.state === "SUSPENDED") printNotice(`kindling app resume ${namespace}:${name} lets it run`, output);
      }
      shown = line;
      if (isOver(view.state)) return await ended(client, view, context);
    }
  } finally {
    stopWaiting();
  }
  output.err(`${paint(output, "red", "deleted")} ${namespace}:${name} before it ended\n`);
  return { exitCode: EXIT_CODES.failure.code, view, result: "deleted" };
}

function stateLine({ state, namespace, name, errorMessage }: ApplicationView, output: Output): string {
  const color = state === "COMPLETED" || state === "RUNNING" ? "green" : /FAIL/.test(state) ? "red" : "dim";
  const why = errorMessage === undefined ? "" : `: ${errorMessage}`;
  return `${paint(output, color, state || NEW)} ${namespace}:${name}${why}`;
}

async function ended(
  client: KubeClient,
  view: ApplicationView,
  { output, outside, signal }: CommandContext,
): Promise<End> {
  if (view.state === "COMPLETED") return { exitCode: EXIT_CODES.success.code, view, result: "completed" };
  const pod = await visibleDriverPod(client, view);
  if (pod !== undefined) {
    const now = outside.clock.now();
    const { diagnosis } = await applicationReport(client, pod, { now, signal });
    const logsCommand = `kindling app logs ${view.namespace}:${view.name}`;
    if (diagnosis.findings.length > 0)
      output.err(`${diagnosisText(forApplication(diagnosis), { palette: output, now, logsCommand })}\n`);
  }
  return { exitCode: driversExitCode(view), view, result: "failed" };
}

/** In the operator's words (v2.5.2, internal/controller/sparkapplication/controller.go). */
function driversExitCode({ errorMessage = "" }: ApplicationView): number {
  const [, code = ""] = /driver container failed with ExitCode: (\d{1,3})\b/.exec(errorMessage) ?? [];
  return Number(code) || EXIT_CODES.failure.code;
}
