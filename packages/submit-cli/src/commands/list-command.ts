import { type CommandContext, type CommandLine, formatObject, formatOf } from "@kindling/command-line";
import { clusterError, listApplications, type ListedApplication } from "@kindling/submit";
import { applicationTable } from "./application-table.ts";
import { LIST_FORMATS } from "./output-formats.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";

/** `kindling list`. */
export async function listCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, LIST_FORMATS);
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
