import { paint, type Palette } from "@kindling/command-line";
import { age } from "../../output/age.ts";
import { isOver, isRefused, NEW, type ApplicationView, type EndedAttempt, type WebUi } from "./application-view.ts";

export interface PageOptions {
  readonly palette: Palette;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** One SparkApplication for a person: its state, and the next step if there is one. */
export function applicationPage(view: ApplicationView, { palette, now }: PageOptions): string {
  const { namespace, name, state, started, finished, webUi } = view;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Application", `${namespace}:${name}`],
    ["State", paint(palette, colorOf(view), state || NEW)],
    ["Error", view.errorMessage],
    ["Spark", [view.sparkVersion, view.image && `image ${view.image}`].filter(Boolean).join(", ")],
    // If the driver was never created, its name is of no use.
    ["Driver", isRefused(view) ? undefined : view.driverPod && `${namespace}:${view.driverPod}`],
    ["Spark's id", view.applicationId],
    ["Submission", view.submissionId],
    ["Attempts", attemptsText(view)],
    ...earlierRows(view, now),
    ["Restart", view.restartPolicy === "Never" ? undefined : view.restartPolicy],
    ["Executors", executorsText(view)],
    ["Submitted", started && `${started}, ${age(started, now)} ago`],
    ["Ended", finished && `${finished}${started === undefined ? "" : `, after ${age(started, Date.parse(finished))}`}`],
    ["Web UI", state === "RUNNING" ? webUiText(namespace, webUi) : undefined],
    ["Schedule", view.schedule],
    ["Suspended", view.suspended ? "yes" : undefined],
  ];
  return `${rowsText(rows, palette)}${nextText(view, palette)}`;
}

/** Rows with their titles in front, without those that have no text. */
export function rowsText(rows: readonly (readonly [string, string | undefined])[], palette: Palette): string {
  return rows
    .filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== "")
    .map(([title, text]) => `${paint(palette, "bold", title.padEnd(12))} ${text}\n`)
    .join("");
}

function colorOf({ state, errorMessage }: ApplicationView): "red" | "yellow" | "green" {
  if (state === "FAILED" || state === "SUBMISSION_FAILED" || state === "FAILING") return "red";
  return state === "RUNNING" || state === "COMPLETED" || (state === "SUCCEEDING" && errorMessage === undefined)
    ? "green"
    : "yellow";
}

function attemptsText({ executionAttempts, submissionAttempts }: ApplicationView): string | undefined {
  if (executionAttempts === 0 && submissionAttempts === 0) return undefined;
  const runs = `${executionAttempts} ${executionAttempts === 1 ? "run" : "runs"}`;
  return `${runs}, ${submissionAttempts} ${submissionAttempts === 1 ? "submission" : "submissions"}`;
}

/** How the attempts before the last one ended; the page itself describes the last one. */
function earlierRows(view: ApplicationView, now: number): (readonly [string, string])[] {
  const { attempts, state } = view;
  const earlier =
    isOver(state) || state === "SUBMISSION_FAILED" || state === "FAILING" ? attempts.slice(0, -1) : attempts;
  const runs: { text: string; finished: string | undefined; times: number }[] = [];
  for (const attempt of earlier) {
    const { finished } = attempt;
    const [text, last] = [attemptText(attempt), runs.at(-1)];
    // Retries usually end in the same way as the attempt before.
    if (last?.text === text) Object.assign(last, { finished, times: last.times + 1 });
    else runs.push({ text, finished, times: 1 });
  }
  return runs.map(({ text, finished, times }, index) => {
    const when = [
      ...(finished === undefined ? [] : [`${age(finished, now)} ago`]),
      ...(times > 1 ? [`${times} times`] : []),
    ];
    return [index === 0 ? "Earlier" : "", [...(when.length > 0 ? [when.join(", ")] : []), text].join(": ")];
  });
}

function attemptText({ outcome, exitCode, errorMessage, diagnosis }: EndedAttempt): string {
  if (outcome === "COMPLETED") return "completed";
  const what = outcome === "SUBMISSION_FAILED" ? "not submitted" : `exit code ${exitCode ?? "unknown"}`;
  const why = diagnosis ?? errorMessage;
  if (why === undefined) return what;
  return why.includes(`exit code ${exitCode}`) ? why : `${what}, ${why}`;
}

function executorsText({ executors }: ApplicationView): string {
  return Object.entries(executors)
    .map(([state, count]) => `${count} ${state.toLowerCase()}`)
    .join(", ");
}

function webUiText(namespace: string, { ingress, service, address }: WebUi): string | undefined {
  if (ingress !== undefined) return ingress;
  if (service === undefined) return address;
  const port = address?.split(":").at(-1) ?? "4040";
  return `http://localhost:${port} after: kubectl -n ${namespace} port-forward service/${service} ${port}`;
}

/** What the user has to do, or what waits for an operator that may not run. */
function nextText(view: ApplicationView, palette: Palette): string {
  const { namespace, name, state, suspended } = view;
  const hint = (text: string): string => `\n${paint(palette, "dim", "hint:")} ${text}\n`;
  const called = `${namespace}:${name}`;
  if (suspended && !isOver(state)) return hint(`kindling app resume ${called} lets it run`);
  if (state === "")
    return hint(`no operator has looked at it yet; is one installed that serves namespace ${namespace}?`);
  if (isRefused(view))
    return hint(
      state === "FAILED"
        ? `there was no driver, so there is no log; kubectl apply of a corrected object submits it again; where the fault was elsewhere, kindling app rerun ${called} does`
        : `there was no driver, so there is no log; the operator tries again`,
    );
  if (state === "FAILED")
    return hint(`kindling app logs ${called} shows the driver's log; kindling app rerun ${called} runs it again`);
  return "";
}
