import type { CommandContext, CommandLine } from "@kindling/command-line";
import { eachNamed } from "./each-named.ts";
import { forKind } from "./operated-kind.ts";

/** `kindling app delete`: what runs ends with its object, and the runs of a schedule go with the schedule. */
export function deleteCommand(line: CommandLine, context: CommandContext): Promise<number> {
  return forKind(line, (kind) =>
    eachNamed(kind, line, context, async (client, { metadata }) => {
      const { namespace, name = "", uid } = metadata ?? {};
      // Another one that has come to this name since was not meant.
      await client.delete(kind.type, name, { namespace, preconditions: { uid } });
      context.output.out(`deleted ${namespace}:${name}\n`);
    }),
  );
}
