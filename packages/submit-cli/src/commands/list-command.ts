import { clusterError, listApplications, type ListedApplication } from "@kindling/submit";
import { formatObject } from "../output/format-object.ts";
import { applicationTable } from "./application-table.ts";
import type { CommandContext } from "./command.ts";
import {
  formatOf,
  HELP_OPTION,
  parseCommandLine,
  REACH_OPTIONS,
  reachOf,
  VERBOSE_OPTION,
  type CommandUsage,
} from "./options.ts";
import { reachCluster } from "./target.ts";

export const LIST_USAGE: CommandUsage = {
  name: "list",
  summary: "list applications",
  operands: "",
  maxOperands: 0,
  options: [
    { name: "all-namespaces", short: "A", help: "those of all namespaces" },
    { name: "selector", short: "l", value: "LABELS", help: "only those whose driver pod has these labels" },
    { name: "output", short: "o", value: "FORMAT", help: "table (default), name, json or yaml" },
    ...REACH_OPTIONS,
    VERBOSE_OPTION,
    HELP_OPTION,
  ],
  examples: ["kindling list", "kindling list -A -o json", "kindling list -n spark -l team=data"],
};

/** `kindling list`. */
export async function listCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const line = parseCommandLine(LIST_USAGE, argv);
  const format = formatOf(line, "table", "name", "json", "yaml");
  const { client } = await reachCluster(reachOf(line), context);
  const allNamespaces = line.has("all-namespaces");
  try {
    const applications = await listApplications(client, { allNamespaces, labelSelector: line.value("selector") });
    context.output.out(await listText(applications, format, allNamespaces, context.outside.clock.now()));
    if (applications.length === 0 && format === "table") context.output.err("no applications found\n");
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}

async function listText(
  applications: readonly ListedApplication[],
  format: "table" | "name" | "json" | "yaml",
  namespaces: boolean,
  now: number,
): Promise<string> {
  switch (format) {
    case "table":
      return applications.length === 0 ? "" : applicationTable(applications, { namespaces, now });
    case "name":
      return applications.map(({ namespace, driverPod }) => `${namespace}:${driverPod}\n`).join("");
    case "json":
    case "yaml":
      return formatObject(applications, format);
  }
}
