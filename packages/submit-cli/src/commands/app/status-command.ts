import { formatObject, formatOf, paint, type CommandContext, type CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { isKubeError, type KubeClient } from "@kindling/kube";
import { applicationReport, forApplication, type ApplicationName, type Diagnosis } from "@kindling/submit";
import { diagnosisText } from "../../output/diagnosis-text.ts";
import { STATUS_FORMATS } from "../output-formats.ts";
import { watchPage } from "../../output/watch-page.ts";
import { driverPod } from "./driver-pod.ts";
import { eachNamed } from "./each-named.ts";
import { findOne, findOperated, namesIn } from "./find-operated.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { listText } from "./list-command.ts";
import { eventsOf, eventTable, type ObjectEvent } from "./object-events.ts";
import { onCluster } from "./on-cluster.ts";
import { forKind, type OperatedKind } from "./operated-kind.ts";
import type { Operated, OperatedObject } from "./operated-object.ts";

type Format = (typeof STATUS_FORMATS)[number];

/** Everything that is shown of one object. */
interface Report<V extends Operated> {
  readonly view: V;
  /** The diagnosis from its driver pod and the pods of its executors. */
  readonly diagnosis: Diagnosis | undefined;
  readonly events: readonly ObjectEvent[];
  /** Kinds that this user may not see, in the plural: their information is missing. */
  readonly hidden: readonly string[];
}

const MOST_EVENTS = 10;
const MOST_VERDICTS = 4;

/** `kindling app status`: a missing object is an error. */
export function statusCommand(line: CommandLine, context: CommandContext): Promise<number> {
  return forKind(line, (kind) => (line.has("watch") ? watchOne(kind, line, context) : showAll(kind, line, context)));
}

async function showAll<V extends Operated>(
  kind: OperatedKind<V>,
  line: CommandLine,
  context: CommandContext,
): Promise<number> {
  const format = formatOf(line, STATUS_FORMATS);
  const reports: Report<V>[] = [];
  const code = await eachNamed(kind, line, context, async (client, object) => {
    reports.push(await reportOn(kind, client, object, context));
  });
  if (reports.length > 0 || format === "json") context.output.out(await statusText(kind, reports, format, context));
  return code;
}

/** Shows one object again whenever something in it changes, until it has ended. */
async function watchOne<V extends Operated>(
  kind: OperatedKind<V>,
  line: CommandLine,
  context: CommandContext,
): Promise<number> {
  const format = formatOf(line, STATUS_FORMATS);
  const [wanted, ...more] = namesIn(line.operands);
  if (wanted === undefined || more.length > 0 || wanted.isPattern)
    throw new KindlingError("ARGUMENT_INVALID", "--watch is about one application");
  return await onCluster(line, context, kind.type, async (client) => {
    await findOne(client, kind, wanted);
    const page = {
      read: () => reportIfThere(kind, client, wanted, context),
      textOf: async (report: Report<V> | undefined) =>
        report === undefined ? `${wanted.name} was deleted\n` : await statusText(kind, [report], format, context),
      isLast: (report: Report<V> | undefined) => report === undefined || kind.isLast(report.view),
    };
    return await watchPage(page, context);
  });
}

async function reportIfThere<V extends Operated>(
  kind: OperatedKind<V>,
  client: KubeClient,
  wanted: ApplicationName,
  context: CommandContext,
): Promise<Report<V> | undefined> {
  const [object] = await findOperated(client, kind, wanted);
  return object && (await reportOn(kind, client, object, context));
}

/** Collects everything that shows the state of an object. If this user may not see a part, that part is left out, but named. */
async function reportOn<V extends Operated>(
  kind: OperatedKind<V>,
  client: KubeClient,
  object: OperatedObject,
  { outside, secrets, signal }: CommandContext,
): Promise<Report<V>> {
  hideSecrets(object, secrets);
  const view = kind.viewOf(object);
  const driver = kind.explainedBy(view);
  const hidden: string[] = [];
  const leaveOut =
    (kind: string) =>
    (error: unknown): undefined => {
      if (isKubeError(error) && error.kind === "status" && error.status === 403) hidden.push(kind);
      return undefined;
    };
  const pod = await driverPod(client, { namespace: view.namespace, driverPod: driver }).catch(leaveOut("pods"));
  const [report, events = []] = await Promise.all([
    pod && applicationReport(client, pod, { now: outside.clock.now(), signal }),
    eventsOf(client, object, signal).catch(leaveOut("events")),
  ]);
  return { view, diagnosis: report && forApplication(report.diagnosis), events: told(events), hidden };
}

/** The last events, and before them how each attempt ended: events of many executors would push these out. */
function told(events: readonly ObjectEvent[]): readonly ObjectEvent[] {
  const last = events.slice(-MOST_EVENTS);
  const verdicts = events.slice(0, -MOST_EVENTS).filter(({ reason }) => reason === "SparkApplicationAttemptFailed");
  return [...verdicts.slice(-MOST_VERDICTS), ...last];
}

async function statusText<V extends Operated>(
  kind: OperatedKind<V>,
  reports: readonly Report<V>[],
  format: Format,
  { outside, output }: CommandContext,
): Promise<string> {
  const now = outside.clock.now();
  switch (format) {
    case "text":
      return reports.map((report) => pageOf(kind, report, { palette: output.onOut, now })).join("\n\n");
    case "table":
      return await listText(
        kind,
        reports.map(({ view }) => view),
        { format, namespaces: true, now },
      );
    case "json":
    case "yaml":
      return await formatObject(
        reports.map(({ view, diagnosis, events }) => ({ ...view, findings: diagnosis?.findings ?? [], events })),
        format,
      );
  }
}

function pageOf<V extends Operated>(
  kind: OperatedKind<V>,
  { view, diagnosis, events, hidden }: Report<V>,
  options: Parameters<OperatedKind<V>["page"]>[1],
): string {
  const parts = [
    kind.page(view, options),
    diagnosis === undefined || diagnosis.findings.length === 0
      ? ""
      : `${diagnosisText(diagnosis, { ...options, logsCommand: undefined })}\n`,
    events.length === 0 ? "" : eventTable(events, options.now),
    hidden.length === 0
      ? ""
      : `${paint(options.palette, "yellow", "note:")} you may not read ${hidden.join(" and ")} in ${view.namespace}, so what they tell is left out\n`,
  ];
  return parts.filter((part) => part !== "").join("\n");
}
