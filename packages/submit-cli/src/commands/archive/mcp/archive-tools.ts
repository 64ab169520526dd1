import { KindlingError } from "@kindling/core-spec";
import { RUN_STATES, type Run, type RunState } from "@kindling/recorder-client";
import { type ComparedRun, differences } from "../../../output/archive/differences.ts";
import { parseDuration } from "../../parse-duration.ts";
import { findRun, parseRunName } from "../find-run.ts";
import type { OpenArchive } from "../open-archive.ts";
import { stagesOf } from "../stages-of.ts";
import type { McpTool } from "./serve-mcp.ts";

export interface ArchiveToolsOptions {
  /** What is kept of a namespace; without one, of the command's own. */
  readonly archiveOf: (namespace: string | undefined) => Promise<OpenArchive>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

type Given = Readonly<Record<string, unknown>>;

const LISTED = 20;
const MOST_LISTED = 200;
const LINES = 200;
/** More would fill an assistant's memory. */
const MOST_LINES = 2_000;

const NAMESPACE = { type: "string", description: "The Kubernetes namespace; by default that of the command" };
const NAME = {
  type: "string",
  description:
    "The application's name, id or driver pod, perhaps as NAMESPACE:NAME; NAME~1 is the run before the latest one",
};

const schema = (properties: object, ...required: readonly string[]): object => ({
  ...{ type: "object", additionalProperties: false, properties },
  ...(required.length > 0 && { required }),
});

/** What an assistant can ask about applications that have ended. */
export function archiveTools(options: ArchiveToolsOptions): readonly McpTool[] {
  return [
    listRuns(options),
    explainRun(options),
    readLog(options),
    listStages(options),
    compareRuns(options),
    sumUsage(options),
  ];
}

function listRuns({ archiveOf, now }: ArchiveToolsOptions): McpTool {
  return {
    name: "list_runs",
    title: "List applications that have ended",
    description: "Lists runs, those first that ended last: state, reason of a failure, duration, what they reserved.",
    inputSchema: schema({
      namespace: NAMESPACE,
      name: { type: "string", description: "Only this application; * stands for any characters" },
      state: { type: "string", enum: RUN_STATES },
      queue: { type: "string" },
      since: { type: "string", description: "Only those that ended within this time, such as 24h or 7d" },
      limit: { type: "integer", minimum: 1, maximum: MOST_LISTED, description: `How many; default: ${LISTED}` },
    }),
    async call(given) {
      const { recorder, namespace } = await archiveOf(textIn(given, "namespace"));
      const state = stateIn(given);
      const limit = countIn(given, "limit", MOST_LISTED) ?? LISTED;
      const query = {
        ...{ namespace, name: textIn(given, "name"), queue: textIn(given, "queue"), since: sinceIn(given, now()) },
        ...(state !== undefined && { states: [state] }),
      };
      const runs: Run[] = [];
      for await (const run of recorder.runs(query, limit)) if (runs.push(run) === limit) break;
      return JSON.stringify(runs.map(shown), undefined, 1);
    },
  };
}

function explainRun({ archiveOf }: ArchiveToolsOptions): McpTool {
  return {
    name: "explain_run",
    title: "Explain how an application ended",
    description: "Everything about one run: why it failed and what helps, events, configuration, executors' ends.",
    inputSchema: schema({ name: NAME }, "name"),
    async call(given) {
      const { archive, run } = await runOf(archiveOf, given, "name");
      return JSON.stringify(await archive.recorder.record(run.uid), undefined, 1);
    },
  };
}

function readLog({ archiveOf }: ArchiveToolsOptions): McpTool {
  return {
    name: "read_log",
    title: "Read a log",
    description: "The last lines of the driver's log, or of an executor's.",
    inputSchema: schema(
      {
        name: NAME,
        executor: { type: "string", description: "An executor's id; by default the driver's log" },
        lines: { type: "integer", minimum: 1, maximum: MOST_LINES, description: `How many; default: ${LINES}` },
      },
      "name",
    ),
    async call(given) {
      const { archive, run } = await runOf(archiveOf, given, "name");
      const executor = textIn(given, "executor");
      const tailLines = countIn(given, "lines", MOST_LINES) ?? LINES;
      const lines: string[] = [];
      const log = executor === undefined ? "driver" : `executor-${executor}`;
      for await (const line of archive.recorder.log(run.uid, log, { tailLines })) lines.push(line);
      return lines.join("\n");
    },
  };
}

function listStages({ archiveOf }: ArchiveToolsOptions): McpTool {
  return {
    name: "list_stages",
    title: "List the stages of a run",
    description:
      "The stages of one run, those first on which executors spent most time: tasks, times in milliseconds, sizes in bytes, why one failed. There are none without an event log.",
    inputSchema: schema(
      {
        name: NAME,
        limit: { type: "integer", minimum: 1, maximum: MOST_LISTED, description: `How many; default: ${LISTED}` },
      },
      "name",
    ),
    async call(given) {
      const { archive, run } = await runOf(archiveOf, given, "name");
      const limit = countIn(given, "limit", MOST_LISTED) ?? LISTED;
      const stages = await stagesOf(archive.recorder, run.uid);
      const slowest = stages.toSorted((a, b) => b.executorTime - a.executorTime).slice(0, limit);
      return JSON.stringify(slowest, undefined, 1);
    },
  };
}

function compareRuns({ archiveOf }: ArchiveToolsOptions): McpTool {
  return {
    name: "compare_runs",
    title: "Compare two runs",
    description:
      "What is different between two runs: how they went, what they took, their configuration, their stages.",
    inputSchema: schema({ before: NAME, after: NAME }, "before", "after"),
    async call(given) {
      const [before, after] = [await runOf(archiveOf, given, "before"), await runOf(archiveOf, given, "after")];
      return JSON.stringify(differences(await keptOf(before), await keptOf(after)), undefined, 1);
    },
  };
}

function sumUsage({ archiveOf, now }: ArchiveToolsOptions): McpTool {
  return {
    name: "sum_usage",
    title: "Sum up what applications have reserved",
    description: "Core seconds and GiB seconds of applications that have ended, in groups.",
    inputSchema: schema({
      namespace: NAMESPACE,
      by: { type: "string", description: "queue (default), namespace, name, or label:KEY" },
      since: { type: "string", description: "Only those that ended within this time, such as 30d" },
    }),
    async call(given) {
      const { recorder, namespace } = await archiveOf(textIn(given, "namespace"));
      const query = { namespace, since: sinceIn(given, now()) };
      return JSON.stringify(await recorder.usage(query, textIn(given, "by") ?? "queue"), undefined, 1);
    },
  };
}

interface FoundRun {
  readonly archive: OpenArchive;
  readonly run: Run;
}

async function keptOf({ archive: { recorder }, run: { uid } }: FoundRun): Promise<ComparedRun> {
  return { record: await recorder.record(uid), stages: await stagesOf(recorder, uid) };
}

async function runOf(archiveOf: ArchiveToolsOptions["archiveOf"], given: Given, key: string): Promise<FoundRun> {
  const wanted = parseRunName(textIn(given, key) ?? "");
  const archive = await archiveOf(wanted.namespace);
  return { archive, run: await findRun(archive, wanted) };
}

function sinceIn(given: Given, now: number): number | undefined {
  const text = textIn(given, "since");
  return text === undefined ? undefined : now - parseDuration("since", text);
}

/** A run as an assistant reads it: with times as text. */
function shown({ started, ended, ...run }: Run): object {
  return {
    ...run,
    started: new Date(started).toISOString(),
    ended: new Date(ended).toISOString(),
    seconds: Math.round((ended - started) / 1000),
  };
}

function textIn(given: Given, key: string): string | undefined {
  const value = given[key];
  if (value === undefined || typeof value === "string") return value;
  throw new KindlingError("ARGUMENT_INVALID", `${key} must be a text`);
}

function countIn(given: Given, key: string, most: number): number | undefined {
  const value = given[key];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new KindlingError("ARGUMENT_INVALID", `${key} must be a whole number from 1 to ${most}`);
}

function stateIn(given: Given): RunState | undefined {
  const text = textIn(given, "state");
  const found = RUN_STATES.find((state) => state === text);
  if (text === undefined || found !== undefined) return found;
  throw new KindlingError("ARGUMENT_INVALID", `there is no state ${text}`, {
    hint: `there are ${RUN_STATES.join(", ")}`,
  });
}
