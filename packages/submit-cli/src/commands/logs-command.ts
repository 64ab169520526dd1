import { printNotice, type CommandContext, type CommandLine } from "@kindling/command-line";
import { harmlessText, isKindlingError, KindlingError, parseTime } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import {
  applicationLog,
  applicationReport,
  findApplications,
  isFinished,
  noApplication,
  podState,
  type ApplicationLogOptions,
  type ApplicationName,
  type Diagnosis,
} from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";
import { archiveError } from "./archive/archive-error.ts";
import { type ChosenAttempt, chosenAttempt, printArchivedLog, printLogOf } from "./archive/archived-log.ts";
import { ifMissing, parseRunName } from "./archive/find-run.ts";
import { archiveOnDemand, type ArchiveOnDemand } from "./archive/archive-on-demand.ts";
import { diagnosisText } from "../output/diagnosis-text.ts";
import { driverOf, oneApplication } from "./one-application.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";

/** `kindling logs`. */
export async function logsCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const wanted = oneApplication(line, "logs is about one application: name it by its name, id or driver pod");
  const options = logOptions(line, context);
  const attempt = chosenAttempt(line);
  const { client } = await reachCluster(reachOf(line), context);
  const archive = archiveOnDemand(client, reachOf(line), context);
  const request = { line, options, context, archive };
  try {
    if (attempt !== undefined) return await archivedLog(client, attempt, request);
    const next = (standIn: Pod): Promise<void> => awaitsNext(client, standIn, wanted.name, options, context);
    const searching = driverOf(client, wanted, context, next, archive.begin);
    searching.catch(() => undefined);
    // While the cluster is searched. The archive itself is asked when the application may be gone.
    archive.look();
    const driver = await searching.catch(ifMissing);
    if (driver === undefined) return await archivedLog(client, undefined, request);
    try {
      for await (const text of applicationLog(client, driver, options)) context.output.log(text);
    } catch (error) {
      if (isKindlingError(error) && error.code === "NOT_STARTED") await tellHow(client, driver, context);
      if (isGone(error, options) && (await printKeptExecutor(driver, request))) return 0;
      throw error;
    }
    const { name = "", namespace } = driver.metadata ?? {};
    if (options.executor === undefined)
      await tellFailure(client, { name, namespace, isPattern: false }, context, (diagnosis) => diagnosis);
    return 0;
  } catch (error) {
    throw archiveError(error);
  } finally {
    archive.close();
    client.close();
  }
}

interface LogRequest {
  readonly line: CommandLine;
  readonly options: ApplicationLogOptions;
  readonly context: CommandContext;
  readonly archive: ArchiveOnDemand;
}

/** Spark deletes the pods of executors that have ended, and that of the driver stays. */
function isGone(error: unknown, { executor }: ApplicationLogOptions): boolean {
  return executor !== undefined && isKindlingError(error) && error.code === "OBJECT_NOT_FOUND";
}

/** @returns whether the log of the executor is kept */
async function printKeptExecutor({ metadata = {} }: Pod, { options, context, archive }: LogRequest): Promise<boolean> {
  const kept = await archive.opened();
  if (kept === undefined) return false;
  return await printLogOf(kept, metadata.uid ?? "", options, context);
}

/** The log of an application whose pods are gone, or of an earlier attempt. */
async function archivedLog(
  client: KubeClient,
  attempt: ChosenAttempt | undefined,
  { line, options, context, archive: onDemand }: LogRequest,
): Promise<number> {
  const wanted = parseRunName(line.operands[0] ?? "");
  const searching = attempt === "previous" ? findApplications(client, wanted) : undefined;
  searching?.catch(() => undefined);
  const archive = await onDemand.opened();
  if (archive === undefined) throw noApplication(client, wanted);
  if (attempt !== "previous") await printArchivedLog(archive, wanted, { ...options, attempt }, context);
  else {
    const [live] = (await searching) ?? [];
    const before = live === undefined ? { ...wanted, back: wanted.back + 1 } : wanted;
    await printArchivedLog(archive, before, { ...options, butUid: live?.metadata?.uid }, context);
  }
  return 0;
}

/** A driver that the gateway will start again has no log until then: it is waited for if the log is followed. */
async function awaitsNext(
  client: KubeClient,
  standIn: Pod,
  name: string,
  { follow, tell }: ApplicationLogOptions,
  context: CommandContext,
): Promise<void> {
  const called = `${standIn.metadata?.namespace ?? ""}:${name}`;
  if (follow !== true) {
    await tellHow(client, standIn, context);
    throw new KindlingError("NOT_STARTED", `${called} is to be started again by the gateway: there is no log yet`, {
      hint: `kindling logs -f ${called} waits for it; with a recorder, --previous shows the log of the driver before`,
    });
  }
  tell(`${called} is to be started again by the gateway`);
}

/** Shows what keeps an application from starting, before the answer that it has no log. */
async function tellHow(client: KubeClient, pod: Pod, { output, outside, signal }: CommandContext): Promise<void> {
  const now = outside.clock.now();
  const { diagnosis, namespace, driverPod } = await applicationReport(client, pod, { now, signal });
  if (diagnosis.findings.length === 0) return;
  output.err(
    `${diagnosisText(diagnosis, { palette: output, now, logsCommand: `kindling logs ${namespace}:${driverPod}` })}\n`,
  );
}

/**
 * The options of `logs`.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function logOptions(line: CommandLine, { output, signal, outside }: CommandContext): ApplicationLogOptions {
  const [executor, container] = [line.value("executor"), line.value("container")];
  const whose = [executor && ` --executor ${executor}`, container && ` --container ${container}`];
  return {
    tailLines: count(line.value("tail"), "--tail"),
    sinceSeconds: seconds(line.value("since")),
    executor,
    container,
    howToWait: `kindling logs -f${whose.filter((part) => part !== undefined).join("")}`,
    timestamps: line.has("timestamps"),
    follow: line.has("follow"),
    tell: (text) => printNotice(harmlessText(text), output),
    signal,
    outside,
  };
}

/**
 * Shows after the log of a failed driver why it failed.
 *
 * @param inWords changes the text to the terms of the object that the driver was created from
 */
export async function tellFailure(
  client: KubeClient,
  wanted: ApplicationName,
  { output, outside, signal }: CommandContext,
  inWords: (diagnosis: Diagnosis) => Diagnosis,
): Promise<void> {
  // It may have been deleted meanwhile.
  const [pod] = await findApplications(client, wanted);
  if (pod === undefined || !isFinished(podState(pod))) return;
  const now = outside.clock.now();
  const { phase, diagnosis } = await applicationReport(client, pod, { now, signal });
  if (phase !== "Failed") return;
  output.err(`${diagnosisText(inWords(diagnosis), { palette: output, now, logsCommand: undefined })}\n`);
}

function count(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new KindlingError("ARGUMENT_INVALID", `${option} ${text}: must be a whole number`);
  return Number(text);
}

function seconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const parsed = parseTime(text, "s");
  if (parsed === undefined || parsed <= 0)
    throw new KindlingError("ARGUMENT_INVALID", `--since ${text}: must be a duration such as 5m`);
  return parsed;
}
