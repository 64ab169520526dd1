import type { CommandContext, CommandLine } from "@kindling/command-line";
import { eachNamed } from "./each-named.ts";
import { forKind } from "./operated-kind.ts";

/**
 * `kindling app delete`: a running application ends with its object, and the runs of a schedule are deleted with the
 * schedule.
 */
export function deleteCommand(line: CommandLine, context: CommandContext): Promise<number> {
  return forKind(line, (kind) =>
    eachNamed(kind, line, context, async (client, { metadata }) => {
      const { namespace, name = "", uid } = metadata ?? {};
      // A new object with the same name must not be deleted.
      await client.delete(kind.type, name, { namespace, preconditions: { uid } });
      context.output.out(`deleted ${namespace}:${name}\n`);
    }),
  );
}
