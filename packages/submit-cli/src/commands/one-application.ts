import type { CommandContext, CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { driverBehind, findApplication, isStandIn, parseApplicationName, type ApplicationName } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";

/**
 * The application in a command's only operand.
 *
 * @param words the error message if there is no operand, or more than one
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
 * The driver pod. If the gateway starts the application again, the next pod is waited for.
 *
 * @param beforeNext called with the stand-in of that pod; may throw to refuse waiting
 * @param onMiss called when the application may be gone; the search goes on
 */
export async function driverOf(
  client: KubeClient,
  wanted: ApplicationName,
  { outside, signal }: CommandContext,
  beforeNext: (standIn: Pod) => Promise<void> = () => Promise.resolve(),
  onMiss?: () => void,
): Promise<Pod> {
  const found = await findApplication(client, wanted, onMiss);
  if (!isStandIn(found)) return found;
  await beforeNext(found);
  return await driverBehind(client, found, wanted.name, { clock: outside.clock, signal });
}
