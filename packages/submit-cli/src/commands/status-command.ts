import { type CommandContext, type CommandLine, formatObject, formatOf } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import {
  clusterError,
  describePod,
  findDrivers,
  listedApplication,
  parseTarget,
  type PodState,
} from "@kindling/submit";
import type { SubmitArguments } from "../args/parse-arguments.ts";
import { applicationTable } from "./application-table.ts";
import { connectAsSubmit } from "./kill-command.ts";
import { STATUS_FORMATS } from "./output-formats.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";

/** `kindling status`: an application that is not there is an error. */
export async function statusCommand(line: CommandLine, context: CommandContext): Promise<number> {
  if (line.operands.length === 0) {
    throw new KindlingError("ARGUMENT_INVALID", "which application? name it as NAMESPACE:POD", {
      hint: "kindling list shows them",
    });
  }
  const format = formatOf(line, STATUS_FORMATS);
  const targets = line.operands.map((id) => ({ id, target: parseTarget(id) }));
  const { client } = await reachCluster(reachOf(line), context);
  try {
    const found: PodState[] = [];
    let missing = 0;
    for (const { id, target } of targets) {
      const drivers = await findDrivers(client, target);
      found.push(...drivers);
      if (drivers.length === 0) {
        missing++;
        context.output.err(`error: ${id}: no application is there\n`);
      }
    }
    if (found.length > 0) context.output.out(await statusText(found, format, context));
    return missing === 0 ? 0 : 1;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}

async function statusText(
  drivers: readonly PodState[],
  format: "text" | "table" | "json" | "yaml",
  { outside }: CommandContext,
): Promise<string> {
  switch (format) {
    case "text":
      return drivers.map((driver) => `${describePod(driver).slice(1)}\n`).join("\n");
    case "table":
      return applicationTable(
        drivers.map((driver) => listedApplication(driver, undefined)),
        { namespaces: true, now: outside.clock.now() },
      );
    case "json":
    case "yaml":
      return formatObject(drivers.length === 1 ? drivers[0] : drivers, format);
  }
}

/** `kindling submit --status ID`: spark-submit's own answers; success also where nothing is there. */
export async function statusOfSubmission(id: string, args: SubmitArguments, context: CommandContext): Promise<number> {
  const { output } = context;
  const { client, master } = await connectAsSubmit(args, context);
  try {
    output.err(`Submitting a request for the status of submission ${id} in ${master}.\n`);
    const target = parseTarget(id);
    const drivers = await findDrivers(client, target);
    if (drivers.length === 0) output.err(target.isPrefix ? "No applications found.\n" : "Application not found.\n");
    for (const driver of drivers) output.err(`Application status (driver): ${describePod(driver)}\n`);
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}
