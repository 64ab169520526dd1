import type { CommandContext, CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { driverBehind, findApplication, isStandIn, parseApplicationName, type ApplicationName } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";

/**
 * The application that a command's only operand names.
 *
 * @param words says what the command is about, where there is none or more
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function oneApplication({ operands }: CommandLine, words: string): ApplicationName {
  const [id, ...more] = operands;
  if (id === undefined || more.length > 0) {
    throw new KindlingError("ARGUMENT_INVALID", words, { hint: "kindling list shows them" });
  }
  return parseApplicationName(id);
}

/**
 * The driver pod; of an application that the gateway starts again, the next one, which is waited for.
 *
 * @param beforeNext told of the pod that stands in for it; may refuse to wait by throwing
 */
export async function driverOf(
  client: KubeClient,
  wanted: ApplicationName,
  { outside, signal }: CommandContext,
  beforeNext: (standIn: Pod) => Promise<void> = () => Promise.resolve(),
): Promise<Pod> {
  const found = await findApplication(client, wanted);
  if (!isStandIn(found)) return found;
  await beforeNext(found);
  return await driverBehind(client, found, wanted.name, { clock: outside.clock, signal });
}
