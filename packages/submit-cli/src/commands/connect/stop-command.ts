import type { CommandContext, CommandLine } from "@kindling/command-line";
import { closest, harmlessText, KindlingError, quotedName } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import {
  clusterError,
  type ConnectDriver,
  findDrivers,
  killApplication,
  matchesPattern,
  parseApplicationName,
} from "@kindling/submit";
import { reachOf } from "../reach-options.ts";
import { reachCluster } from "../target.ts";
import { chosenDrivers } from "./driver-list.ts";

const MOST_NAMED = 5;

/** `kindling connect stop`. */
export async function stopCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const { operands } = line;
  const isChoice = line.value("profile") !== undefined || line.value("user") !== undefined;
  if (isChoice === operands.length > 0) {
    const fault = isChoice ? "name drivers, or choose them by --user and --profile: not both" : "which driver?";
    throw new KindlingError("ARGUMENT_INVALID", fault, { hint: "kindling connect ls shows them" });
  }
  const { client } = await reachCluster(reachOf(line), context);
  try {
    const drivers = isChoice ? await chosen(client, line, context) : await named(client, line, context);
    if (drivers.length > 1 && !line.has("yes")) await agreed(drivers, context);
    for (const { namespace, name } of drivers) {
      const [pod] = await findDrivers(client, { namespace, name, isPrefix: false });
      if (pod !== undefined) await killApplication(client, pod, undefined);
      context.output.out(`stopped ${namespace}:${name}\n`);
    }
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}

async function chosen(
  client: KubeClient,
  line: CommandLine,
  { outside, output }: CommandContext,
): Promise<readonly ConnectDriver[]> {
  const allNamespaces = line.has("all-namespaces");
  const drivers = await chosenDrivers(client, line, { allNamespaces, now: outside.clock.now() });
  if (drivers.length === 0) output.err(`there is nothing to stop${allNamespaces ? "" : ` in ${client.namespace}`}\n`);
  return drivers;
}

/** @throws KindlingError `OBJECT_NOT_FOUND` if a name is of no such driver: nothing is stopped then */
async function named(
  client: KubeClient,
  line: CommandLine,
  { outside }: CommandContext,
): Promise<readonly ConnectDriver[]> {
  const found = new Map<string, ConnectDriver>();
  for (const { namespace = client.namespace, name, isPattern } of line.operands.map(parseApplicationName)) {
    const there = await chosenDrivers(client, line, { namespace, now: outside.clock.now() });
    const fitting = there.filter((one) => (isPattern ? matchesPattern(name, one.name) : one.name === name));
    if (fitting.length === 0) throw noDriver(namespace, name, there);
    for (const one of fitting) found.set(`${one.namespace}:${one.name}`, one);
  }
  return [...found.values()];
}

function noDriver(namespace: string, name: string, there: readonly ConnectDriver[]): KindlingError {
  const near = closest(
    name,
    there.map((one) => one.name),
  );
  return new KindlingError(
    "OBJECT_NOT_FOUND",
    `no driver of sessions in namespace ${namespace} is called ${quotedName(name)}`,
    {
      hint:
        near === undefined ? `kindling connect ls -n ${namespace} shows those that are there` : `did you mean ${near}?`,
    },
  );
}

/** @throws KindlingError `ARGUMENT_INVALID` if nobody has agreed */
async function agreed(drivers: readonly ConnectDriver[], { confirm }: CommandContext): Promise<void> {
  const users = [...new Set(drivers.flatMap(({ user }) => user ?? []))].map((user) => harmlessText(user));
  const more = users.length > MOST_NAMED ? ` and ${users.length - MOST_NAMED} more` : "";
  const whose = users.length === 0 ? "" : ` of ${users.slice(0, MOST_NAMED).join(", ")}${more}`;
  if (confirm === undefined) {
    throw new KindlingError("ARGUMENT_INVALID", `${drivers.length} drivers${whose} would be stopped`, {
      hint: "--yes stops them without a question",
    });
  }
  if (await confirm(`Stop ${drivers.length} drivers${whose}?`)) return;
  throw new KindlingError("ARGUMENT_INVALID", "nothing was stopped");
}
