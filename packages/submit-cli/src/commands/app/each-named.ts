import { printError, type CommandContext, type CommandLine } from "@kindling/command-line";
import type { KubeClient } from "@kindling/kube";
import { findOperated, namesIn, nothingCalled } from "./find-operated.ts";
import { onCluster } from "./on-cluster.ts";
import type { OperatedKind } from "./operated-kind.ts";
import type { Operated, OperatedObject } from "./operated-object.ts";

/**
 * Does something with each named object. A missing object is reported, and the others are still handled; the result is the
 * exit code.
 */
export async function eachNamed<V extends Operated>(
  kind: OperatedKind<V>,
  line: CommandLine,
  context: CommandContext,
  act: (client: KubeClient, object: OperatedObject) => Promise<void>,
): Promise<number> {
  const names = namesIn(line.operands);
  return await onCluster(line, context, kind.type, async (client) => {
    let missing = 0;
    for (const wanted of names) {
      const found = await findOperated(client, kind, wanted);
      for (const object of found) await act(client, object);
      if (found.length > 0) continue;
      missing++;
      printError(await nothingCalled(client, kind, wanted), context.output, line.has("verbose"));
    }
    return missing === 0 ? 0 : 1;
  });
}
