import { connectSessionsText, harmlessText } from "@kindling/core-spec";
import { paint, type Palette } from "@kindling/command-line";
import { isFinished, isKeeper, type ApplicationReport, type PodState } from "@kindling/submit";
import { age } from "./age.ts";
import { configurationText } from "./configuration-text.ts";
import { diagnosisText } from "./diagnosis-text.ts";
import { eventTable } from "./event-table.ts";
import { table } from "./table.ts";

export interface PageOptions {
  readonly palette: Palette;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** All information about one application, for a person: first its state, then the reasons. */
export function applicationPage(report: ApplicationReport, { palette, now }: PageOptions): string {
  const submissionId = `${report.namespace}:${report.driverPod}`;
  const parts = [
    summary(report, palette, now),
    report.diagnosis.findings.length === 0
      ? ""
      : `${diagnosisText(report.diagnosis, { palette, now, logsCommand: `kindling logs ${submissionId}` })}\n`,
    executorTable(report.executorPods, now),
    configurationText(report.configuration),
    eventTable(report.events, report.driverPod, now),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function executorsText(counts: ApplicationReport["executors"]): string | undefined {
  if (counts === undefined) return undefined;
  const { running, total, keepers = 0 } = counts;
  if (total + keepers === 0) return undefined;
  return `${running} running, ${total} in all${keepers === 0 ? "" : `; ${keepers} ended and kept for shuffle files`}`;
}

function summary(report: ApplicationReport, palette: Palette, now: number): string {
  const { id, state, sparkVersion, image, namespace, driverPod, driver, created, executors, connect } = report;
  // A label cannot contain blanks and capital letters.
  const name = harmlessText(report.configuration?.["spark.app.name"] ?? report.name);
  const ended = isFinished(driver) ? endOf(driver) : undefined;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Application", `${name} (${id})`],
    ["State", paint(palette, colorOf(report), state)],
    ["Spark", [sparkVersion, image].filter((text) => text !== undefined && text !== "").join(", image ")],
    ["Driver", `${namespace}:${driverPod}${driver.node === undefined ? "" : ` on node ${driver.node}`}`],
    ["Sessions", connect && connectSessionsText(connect)],
    ["Executors", executorsText(executors)],
    ["Gave way", gaveWayText(report, now)],
    ["Memory", driver.memory && harmlessText(driver.memory.words)],
    ["Submitted", created === undefined ? undefined : `${created}, ${age(created, now)} ago`],
    [
      "Ended",
      ended === undefined
        ? undefined
        : `${ended}${created === undefined ? "" : `, after ${age(created, Date.parse(ended))}`}`,
    ],
    ["Restarts", restartsOf(driver)],
    ["Web UI", webUiText(report)],
  ];
  return rows
    .filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== "")
    .map(([title, text]) => `${paint(palette, "bold", title.padEnd(12))} ${text}\n`)
    .join("");
}

/** Which executors gave way to others, according to the gateway, and how long ago. */
function gaveWayText({ gaveWay }: ApplicationReport, now: number): string | undefined {
  return gaveWay && `${gaveWay.message} (${age(gaveWay.last, now)} ago)`;
}

/** How often the gateway has started the driver again, and whether it will again. */
function restartsOf({ restart }: PodState): string | undefined {
  if (restart === undefined) return undefined;
  const { count, lastEnd, at } = restart;
  const times = count === 1 ? "once" : `${count} times`;
  const parts = [
    ...(count === 0 ? [] : [`restarted ${times}, last: ${lastEnd ?? "for unknown reasons"}`]),
    ...(at === undefined ? [] : [`started again at ${at}`]),
  ];
  return parts.join("; ");
}

/** When Spark's container ended, else the last end of all containers, in RFC 3339. */
function endOf({ containers, sparkContainer }: PodState): string | undefined {
  const spark = containers.find(({ name }) => name === sparkContainer);
  if (spark?.state === "terminated") return spark.finishedAt;
  const ends = containers.flatMap((one) => (one.state === "terminated" ? (one.finishedAt ?? []) : []));
  return ends.toSorted().at(-1);
}

function colorOf({ phase, diagnosis }: ApplicationReport): "red" | "yellow" | "green" {
  if (phase === "Failed") return "red";
  return diagnosis.findings.length > 0 || phase === "Pending" ? "yellow" : "green";
}

function webUiText({ namespace, driverPod, uiPort, uiScheme }: ApplicationReport): string | undefined {
  if (uiPort === undefined) return undefined;
  if (uiScheme === "http") return `kindling ui ${namespace}:${driverPod}`;
  return `${uiScheme}://localhost:${uiPort} after: kubectl -n ${namespace} port-forward ${driverPod} ${uiPort}`;
}

function executorTable(pods: readonly PodState[] | undefined, now: number): string {
  if (pods === undefined || pods.length === 0) return "";
  const rows = pods
    .toSorted((a, b) => executorId(a) - executorId(b))
    .map((pod) => [
      pod.labels["spark-exec-id"] ?? "",
      pod.name,
      podStateText(pod),
      pod.node ?? "",
      age(pod.created, now),
    ]);
  return table([["EXECUTOR", "POD", "STATE", "NODE", "AGE"], ...rows]);
}

function executorId({ labels }: PodState): number {
  return Number(labels["spark-exec-id"] ?? 0);
}

/** The state of an executor's pod that stays for its shuffle files, as in the `Executors` row. */
const KEPT = "kept";

/** A pod's state in one word, as kubectl shows it. */
function podStateText(pod: PodState): string {
  const { phase, deleting, reason, initContainers, containers } = pod;
  if (deleting) return "Terminating";
  if (isKeeper(pod) && phase === "Running") return KEPT;
  for (const one of [...initContainers, ...containers]) {
    if (one.state === "waiting" && one.reason !== undefined) return one.reason;
    if (one.state === "terminated" && one.exitCode !== 0) return one.reason ?? `Error (${one.exitCode})`;
  }
  return reason ?? phase;
}
