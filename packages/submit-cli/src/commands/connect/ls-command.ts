import { type CommandContext, type CommandLine, formatObject, formatOf, paint } from "@kindling/command-line";
import { clusterError, type ConnectDriver } from "@kindling/submit";
import { connectDriverTable } from "../../output/connect-driver-table.ts";
import { watchPage } from "../../output/watch-page.ts";
import { CONNECT_DRIVER_FORMATS } from "../output-formats.ts";
import { reachOf } from "../reach-options.ts";
import { reachCluster } from "../target.ts";
import { CONNECT_VERSION } from "./connection.ts";
import { chosenDrivers } from "./driver-list.ts";

/** `kindling connect ls`. */
export async function lsCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, CONNECT_DRIVER_FORMATS);
  const { client } = await reachCluster(reachOf(line), context);
  const allNamespaces = line.has("all-namespaces");
  const { output, outside } = context;
  const read = (): Promise<ConnectDriver[]> => chosenDrivers(client, line, { allNamespaces, now: outside.clock.now() });
  const textOf = async (drivers: readonly ConnectDriver[]): Promise<string> => {
    if (format === "name") return drivers.map(({ namespace, name }) => `${namespace}:${name}\n`).join("");
    if (format === "json" || format === "yaml")
      return await formatObject({ apiVersion: CONNECT_VERSION, kind: "DriverList", items: drivers }, format);
    const shown = { namespaces: allNamespaces, wide: format === "wide", now: outside.clock.now() };
    return drivers.length === 0 ? "" : connectDriverTable(drivers, shown);
  };
  try {
    if (line.has("watch")) return await watchPage({ read, textOf, isLast: () => false }, context);
    const drivers = await read();
    output.out(await textOf(drivers));
    if (drivers.length === 0 && (format === "table" || format === "wide")) {
      output.err(`no drivers of sessions found${allNamespaces ? "" : ` in namespace ${client.namespace}`}\n`);
      if (!allNamespaces)
        output.err(`${paint(output, "dim", "hint:")} kindling connect ls -A shows those of all namespaces\n`);
    }
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}
