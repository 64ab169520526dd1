import { type CommandContext, type CommandLine, formatObject, formatOf } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import {
  applicationReport,
  clusterError,
  describePod,
  findApplication,
  findApplications,
  findDrivers,
  parseApplicationName,
  parseTarget,
  type ApplicationName,
  type ApplicationReport,
  type Reach,
} from "@kindling/submit";
import type { SubmitArguments } from "@kindling/spark-arguments";
import type { RunRecord } from "@kindling/recorder-client";
import { historyTable } from "../output/archive/history-table.ts";
import { runPage } from "../output/archive/run-page.ts";
import { archiveError } from "./archive/archive-error.ts";
import { findRun, ifMissing, parseRunName } from "./archive/find-run.ts";
import { ARCHIVE_VERSION } from "./archive/history-command.ts";
import { archiveIfThere } from "./archive/open-archive.ts";
import { applicationPage } from "../output/application-page.ts";
import { listDocument } from "../output/list-document.ts";
import { applicationTable } from "../output/application-table.ts";
import { podsOf, tellMissing } from "./find-pods.ts";
import { connectAsSubmit } from "./kill-command.ts";
import { STATUS_FORMATS } from "./output-formats.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";
import { watchPage } from "../output/watch-page.ts";

type Format = (typeof STATUS_FORMATS)[number];

/** `kindling status`: a missing application is an error. */
export async function statusCommand(line: CommandLine, context: CommandContext): Promise<number> {
  if (line.operands.length === 0) {
    throw new KindlingError("ARGUMENT_INVALID", "which application? name it by its name, its id or its driver pod", {
      hint: "kindling list shows them",
    });
  }
  const format = formatOf(line, STATUS_FORMATS);
  const wanted = line.operands.map(parseApplicationName);
  const { client } = await reachCluster(reachOf(line), context);
  try {
    if (line.has("watch")) return await watchOne(client, wanted, format, context);
    return await showAll(client, wanted, { format, reach: reachOf(line) }, context);
  } catch (error) {
    throw archiveError(error);
  } finally {
    client.close();
  }
}

async function showAll(
  client: KubeClient,
  wanted: readonly ApplicationName[],
  { format, reach }: { readonly format: Format; readonly reach: Reach },
  context: CommandContext,
): Promise<number> {
  const { outside, output, signal } = context;
  const reports: ApplicationReport[] = [];
  const gone: ApplicationName[] = [];
  for (const name of wanted) {
    const pods = await podsOf(client, name);
    for (const pod of pods) reports.push(await applicationReport(client, pod, { now: outside.clock.now(), signal }));
    if (pods.length === 0) gone.push(name);
  }
  if (reports.length > 0 || (format === "json" && gone.length === 0))
    output.out(await statusText(reports, format, context));
  const records = await recordsOf(client, gone, reach, context);
  for (const name of gone) if (!records.has(name)) tellMissing(client, name, output);
  if (records.size > 0) output.out(await recordsText([...records.values()], format, context));
  else if (reports.length === 0 && gone.length > 0 && format === "json")
    output.out(await statusText([], format, context));
  return records.size === gone.length ? 0 : 1;
}

/** What a recorder keeps of applications whose pods are gone. */
async function recordsOf(
  client: KubeClient,
  gone: readonly ApplicationName[],
  reach: Reach,
  context: CommandContext,
): Promise<ReadonlyMap<ApplicationName, RunRecord>> {
  const found = new Map<ApplicationName, RunRecord>();
  const archive = gone.length === 0 ? undefined : await archiveIfThere(reach, context, client);
  if (archive === undefined) return found;
  try {
    for (const name of gone) {
      const run = await findRun(archive, parseRunName(textOf(name))).catch(ifMissing);
      if (run !== undefined) found.set(name, await archive.recorder.record(run.uid));
    }
    return found;
  } finally {
    archive.close();
  }
}

function textOf({ namespace, name }: ApplicationName): string {
  return namespace === undefined ? name : `${namespace}:${name}`;
}

async function recordsText(
  records: readonly RunRecord[],
  format: Format,
  { outside, output }: CommandContext,
): Promise<string> {
  const now = outside.clock.now();
  switch (format) {
    case "text":
      return records.map((record) => runPage(record, { palette: output.onOut, now })).join("\n\n");
    case "table":
      return historyTable(
        records.map(({ run }) => run),
        { namespaces: true, now },
      );
    case "json":
    case "yaml":
      return await formatObject({ apiVersion: ARCHIVE_VERSION, kind: "RunRecordList", items: records }, format);
  }
}

/** Shows one application again whenever something in it changes, until it has ended. */
async function watchOne(
  client: KubeClient,
  [name, ...more]: readonly ApplicationName[],
  format: Format,
  context: CommandContext,
): Promise<number> {
  if (name === undefined || more.length > 0 || name.isPattern)
    throw new KindlingError("ARGUMENT_INVALID", "--watch is about one application");
  const { outside, signal } = context;
  const { metadata } = await findApplication(client, name);
  const found = { namespace: metadata?.namespace, name: metadata?.name ?? "", isPattern: false };
  return await watchPage(
    {
      async read() {
        const [pod] = await findApplications(client, found);
        return pod && (await applicationReport(client, pod, { now: outside.clock.now(), signal }));
      },
      textOf: async (report) =>
        report === undefined ? `${found.name} was deleted\n` : await statusText([report], format, context),
      isLast: (report) => report === undefined || report.phase === "Succeeded" || report.phase === "Failed",
    },
    context,
  );
}

async function statusText(
  reports: readonly ApplicationReport[],
  format: Format,
  { outside, output }: CommandContext,
): Promise<string> {
  const now = outside.clock.now();
  switch (format) {
    case "text":
      return reports.map((report) => applicationPage(report, { palette: output.onOut, now })).join("\n\n");
    case "table":
      return applicationTable(reports, { namespaces: true, now });
    case "json":
    case "yaml":
      return await formatObject(listDocument("ApplicationReportList", reports), format);
  }
}

/** `kindling submit --status ID`: with spark-submit's own answers; it succeeds even if nothing is found. */
export async function statusOfSubmission(id: string, args: SubmitArguments, context: CommandContext): Promise<number> {
  const { output } = context;
  const { client, master } = await connectAsSubmit(args, context);
  try {
    output.err(`Submitting a request for the status of submission ${id} in ${master}.\n`);
    const target = parseTarget(id);
    const drivers = await findDrivers(client, target);
    if (drivers.length === 0) output.err(target.isPrefix ? "No applications found.\n" : "Application not found.\n");
    for (const driver of drivers) output.err(`Application status (driver): ${describePod(driver)}\n`);
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}
