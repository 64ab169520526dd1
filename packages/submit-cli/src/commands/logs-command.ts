import { type CommandContext, type CommandLine, paint } from "@kindling/command-line";
import { harmlessText, KindlingError, parseTime } from "@kindling/core-spec";
import { applicationLog, clusterError, findDrivers, parseTarget } from "@kindling/submit";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";

/** `kindling logs`. */
export async function logsCommand(line: CommandLine, context: CommandContext): Promise<number> {
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
