import { type CommandContext, type CommandLine, formatObject, formatOf } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { type Run, RUN_STATES, type RunQuery } from "@kindling/recorder-client";
import { historyTable } from "../../output/archive/history-table.ts";
import { LIST_FORMATS } from "../output-formats.ts";
import { parseDuration } from "../parse-duration.ts";
import { reachOf } from "../reach-options.ts";
import { archiveError } from "./archive-error.ts";
import { openArchive } from "./open-archive.ts";

const SHOWN = 50;

/** `kindling history`: the applications that have ended, those first that ended last. */
export async function historyCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, LIST_FORMATS);
  const { output, outside } = context;
  const now = outside.clock.now();
  const isEverywhere = line.has("all-namespaces");
  const limit = limitOf(line.value("limit"));
  const wanted = runQuery(line, now);
  const archive = await openArchive(isEverywhere ? "all" : "namespace", reachOf(line), context);
  try {
    const { recorder, namespace } = archive;
    const query = isEverywhere ? wanted : { ...wanted, namespace };
    const { runs, hasMore } = await firstOf(recorder.runs(query, Math.min(limit + 1, 1000)), limit);
    output.out(await historyText(runs, format, { now, namespaces: isEverywhere }));
    if (runs.length === 0 && format === "table") {
      const where = isEverywhere ? "" : ` in namespace ${namespace}`;
      output.err(`nothing is kept${where} that fits\n`);
    }
    if (hasMore) output.err(`there are more: --limit ${limit * 10} shows them, --since and --name choose some\n`);
    return 0;
  } catch (error) {
    throw archiveError(error);
  } finally {
    archive.close();
  }
}

/**
 * Which runs the command line asks for.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function runQuery(line: CommandLine, now: number): RunQuery {
  const states = line.values("state").flatMap((text) => text.split(","));
  return {
    name: line.value("name"),
    queue: line.value("queue"),
    states: states.map(stateOf),
    labels: Object.fromEntries(
      line
        .values("selector")
        .flatMap((text) => text.split(","))
        .map(labelOf),
    ),
    since: timeBefore(now, "--since", line.value("since")),
    until: timeBefore(now, "--until", line.value("until")),
  };
}

function stateOf(text: string): Run["state"] {
  const found = RUN_STATES.find((state) => state === text.toLowerCase());
  if (found !== undefined) return found;
  throw new KindlingError("ARGUMENT_INVALID", `--state ${text}: there is no such state`, {
    hint: `there are ${RUN_STATES.join(", ")}`,
  });
}

function labelOf(text: string): readonly [key: string, value: string] {
  const [key = "", value, ...more] = text.split("=");
  if (key !== "" && value !== undefined && more.length === 0) return [key, value];
  throw new KindlingError("ARGUMENT_INVALID", `--selector ${text}: write it as KEY=VALUE`);
}

/** A duration back from now, or a time. */
function timeBefore(now: number, flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-/.test(text) ? Date.parse(text) : NaN;
  return Number.isFinite(time) ? time : now - parseDuration(flag, text);
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return SHOWN;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new KindlingError("ARGUMENT_INVALID", `--limit ${text}: must be a whole number above 0`);
}

async function firstOf(
  all: AsyncGenerator<Run, void>,
  limit: number,
): Promise<{ readonly runs: readonly Run[]; readonly hasMore: boolean }> {
  const runs: Run[] = [];
  for await (const run of all) {
    if (runs.length === limit) return { runs, hasMore: true };
    runs.push(run);
  }
  return { runs, hasMore: false };
}

async function historyText(
  runs: readonly Run[],
  format: (typeof LIST_FORMATS)[number],
  options: { readonly now: number; readonly namespaces: boolean },
): Promise<string> {
  switch (format) {
    case "table":
      return runs.length === 0 ? "" : historyTable(runs, options);
    case "name":
      return runs.map(({ namespace, driver }) => `${namespace}:${driver}\n`).join("");
    case "json":
    case "yaml":
      return await formatObject({ apiVersion: ARCHIVE_VERSION, kind: "RunList", items: runs }, format);
  }
}

/** The version of the documents about what is kept, for programs. */
export const ARCHIVE_VERSION = "archive.kindling/v1";
