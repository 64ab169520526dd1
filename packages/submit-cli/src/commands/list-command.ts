import { type CommandContext, type CommandLine, formatObject, formatOf } from "@kindling/command-line";
import { SPARK_APP_ID_LABEL } from "@kindling/core-spec";
import { resources } from "@kindling/kube";
import { clusterError, podState } from "@kindling/submit";
import { applicationOf, applicationTable, type ListedApplication } from "./application-table.ts";
import { LIST_FORMATS } from "./output-formats.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";

/** `kindling list`. */
export async function listCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, LIST_FORMATS);
  const { client } = await reachCluster(reachOf(line), context);
  const allNamespaces = line.has("all-namespaces");
  try {
    const selector = line.value("selector");
    const drivers = await client.listAll(resources.pods, {
      allNamespaces,
      labelSelector: `spark-role=driver${selector === undefined ? "" : `,${selector}`}`,
    });
    const executors = drivers.items.length === 0 ? new Map<string, number>() : await runningExecutors();
    const applications = drivers.items
      .map(podState)
      .map((driver) => applicationOf(driver, executors.get(driver.labels[SPARK_APP_ID_LABEL] ?? "") ?? 0));
    context.output.out(await listText(applications, format, allNamespaces, context.clock.now()));
    if (applications.length === 0 && format === "table") context.output.err("no applications found\n");
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }

  async function runningExecutors(): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    const pages = client.list(resources.pods, {
      allNamespaces,
      labelSelector: "spark-role=executor",
      fieldSelector: "status.phase=Running",
      resourceVersion: "0",
    });
    for await (const page of pages) {
      for (const { metadata } of page.items) {
        const id = metadata?.labels?.[SPARK_APP_ID_LABEL] ?? "";
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    return counts;
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
