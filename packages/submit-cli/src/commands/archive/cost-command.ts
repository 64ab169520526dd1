import { type CommandContext, type CommandLine, formatObject, formatOf } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import type { GroupUsage } from "@kindling/recorder-client";
import { costRows, costTable } from "../../output/archive/cost-table.ts";
import { COST_FORMATS } from "../output-formats.ts";
import { reachOf } from "../reach-options.ts";
import { archiveError } from "./archive-error.ts";
import { ARCHIVE_VERSION, runQuery } from "./history-command.ts";
import { openArchive } from "./open-archive.ts";
import { NO_PRICES, type Prices, readPrices } from "../../output/archive/prices.ts";

/** `kindling cost`: what applications have reserved, and what that costs by a list of prices. */
export async function costCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, COST_FORMATS);
  const by = groupingOf(line.value("by") ?? "queue");
  const file = line.value("prices");
  const prices = file === undefined ? NO_PRICES : await readPrices(file);
  const isEverywhere = line.has("all-namespaces");
  const wanted = runQuery(line, context.outside.clock.now());
  const archive = await openArchive(isEverywhere ? "all" : "namespace", reachOf(line), context);
  try {
    const { recorder, namespace } = archive;
    const groups = await recorder.usage(isEverywhere ? wanted : { ...wanted, namespace }, by);
    context.output.out(await costText(groups, by, prices, format));
    if (groups.length === 0 && format === "table") context.output.err("nothing is kept that fits\n");
    return 0;
  } catch (error) {
    throw archiveError(error);
  } finally {
    archive.close();
  }
}

function groupingOf(by: string): string {
  if (["queue", "namespace", "name"].includes(by) || /^label:.+/.test(by)) return by;
  throw new KindlingError("ARGUMENT_INVALID", `--by ${by}: there is no such grouping`, {
    hint: "there are queue, namespace, name, and label:KEY such as label:team",
  });
}

async function costText(
  groups: readonly GroupUsage[],
  by: string,
  prices: Prices,
  format: (typeof COST_FORMATS)[number],
): Promise<string> {
  const rows = costRows(groups, prices);
  switch (format) {
    case "table":
      return rows.length === 0 ? "" : costTable(rows, by, prices);
    case "csv":
      return [["key", "runs", "core_hours", "gib_hours", "spot_core_hours", "cost", "currency"], ...rows.map(cellsOf)]
        .map((cells) => `${cells.map(csvCell).join(",")}\r\n`)
        .join("");
    case "json":
    case "yaml":
      return await formatObject({ apiVersion: ARCHIVE_VERSION, kind: "CostList", by, items: rows }, format);
  }

  function cellsOf({ key, runs, coreHours, gibHours, spotCoreHours, cost }: (typeof rows)[number]): readonly string[] {
    const known = cost === undefined ? ["", ""] : [String(cost), prices.currency ?? ""];
    return [key ?? "", String(runs), String(coreHours), String(gibHours), String(spotCoreHours), ...known];
  }
}

/** RFC 4180. A spreadsheet would take a text that begins with such a sign for a formula. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
