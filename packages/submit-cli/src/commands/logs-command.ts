import { harmlessText, KindlingError, parseTime } from "@kindling/core-spec";
import { applicationLog, clusterError, findDrivers, parseTarget } from "@kindling/submit";
import { paint } from "../output/terminal.ts";
import type { CommandContext } from "./command.ts";
import { HELP_OPTION, parseCommandLine, REACH_OPTIONS, reachOf, VERBOSE_OPTION, type CommandUsage } from "./options.ts";
import { reachCluster } from "./target.ts";

export const LOGS_USAGE: CommandUsage = {
  name: "logs",
  summary: "show the log of a driver or an executor",
  operands: "NAMESPACE:POD",
  options: [
    { name: "follow", short: "f", help: "go on until the container ends" },
    { name: "executor", short: "e", value: "ID", help: "the log of this executor instead of the driver's" },
    { name: "container", value: "NAME", help: "another container than the one that runs Spark" },
    { name: "tail", value: "LINES", help: "only the last lines" },
    { name: "since", value: "DURATION", help: "only what is newer than this, such as 5m" },
    { name: "timestamps", help: "with the time before each line" },
    ...REACH_OPTIONS,
    VERBOSE_OPTION,
    HELP_OPTION,
  ],
  examples: ["kindling logs -f spark:etl-8d3f-driver", "kindling logs --executor 3 --tail 100 spark:etl-8d3f-driver"],
};

/** `kindling logs`. */
export async function logsCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const line = parseCommandLine(LOGS_USAGE, argv);
  const [id, ...more] = line.operands;
  if (id === undefined || more.length > 0) {
    throw new KindlingError("ARGUMENT_INVALID", "logs is about one application: name it as NAMESPACE:POD", {
      hint: "kindling list shows them",
    });
  }
  const target = parseTarget(id);
  const limits = { tailLines: count(line.value("tail"), "--tail"), sinceSeconds: seconds(line.value("since")) };
  const { client } = await reachCluster(reachOf(line), context);
  try {
    const drivers = await findDrivers(client, target);
    const [driver] = drivers;
    if (driver === undefined) throw new KindlingError("OBJECT_NOT_FOUND", `${id}: no application is there`);
    if (drivers.length > 1)
      throw new KindlingError("ARGUMENT_INVALID", `${id}: ${drivers.length} applications have such a name`);
    const { output, signal, outside } = context;
    const lines = applicationLog(client, driver, {
      ...limits,
      executor: line.value("executor"),
      container: line.value("container"),
      timestamps: line.has("timestamps"),
      follow: line.has("follow"),
      tell: (text) => output.err(`${paint(output, "yellow", "note:")} ${harmlessText(text)}\n`),
      signal,
      outside,
    });
    for await (const text of lines) output.log(text);
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
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
