import { type CommandContext, type CommandLine, formatObject, formatOf, paint } from "@kindling/command-line";
import { KindlingError, quotedName } from "@kindling/core-spec";
import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import { clusterError, listApplications, type ListedApplication } from "@kindling/submit";
import { listDocument } from "../output/list-document.ts";
import { applicationTable } from "../output/application-table.ts";
import { LIST_FORMATS } from "./output-formats.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";
import { watchPage } from "../output/watch-page.ts";

/** `kindling list`. */
export async function listCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, LIST_FORMATS);
  const { client } = await reachCluster(reachOf(line), context);
  const allNamespaces = line.has("all-namespaces");
  const { output, outside } = context;
  const read = (): Promise<ListedApplication[]> =>
    listApplications(client, { allNamespaces, labelSelector: line.value("selector"), now: outside.clock.now() });
  const textOf = (applications: readonly ListedApplication[]): Promise<string> =>
    listText(applications, format, allNamespaces, outside.clock.now());
  try {
    if (line.has("watch")) return await watchPage({ read, textOf, isLast: () => false }, context);
    const applications = await read();
    output.out(await textOf(applications));
    const where = allNamespaces ? "" : ` in namespace ${client.namespace}`;
    if (applications.length === 0 && format === "table") {
      if (!allNamespaces && (await isMissing(client))) throw noNamespace(client.namespace);
      output.err(`no applications found${where}\n`);
      if (!allNamespaces)
        output.err(`${paint(output, "dim", "hint:")} kindling list -A shows those of all namespaces\n`);
    }
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}

/** Whether the cluster says that the namespace does not exist; a user who may not ask does not learn this. */
async function isMissing(client: KubeClient): Promise<boolean> {
  try {
    await client.get(resources.namespaces, client.namespace);
    return false;
  } catch (error) {
    return isObjectNotFound(error, resources.namespaces, client.namespace);
  }
}

function noNamespace(name: string): KindlingError {
  return new KindlingError("OBJECT_NOT_FOUND", `there is no namespace ${quotedName(name)}`, {
    hint: "correct -n; kubectl get namespaces shows those that are there",
  });
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
      return formatObject(listDocument("ApplicationList", applications), format);
  }
}
