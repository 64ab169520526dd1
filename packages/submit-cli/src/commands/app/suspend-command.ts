import { printNotice, type CommandContext, type CommandLine } from "@kindling/command-line";
import type { KubeClient } from "@kindling/kube";
import { eachNamed } from "./each-named.ts";
import { forKind, type OperatedKind } from "./operated-kind.ts";
import type { Operated, OperatedObject } from "./operated-object.ts";

/** `kindling app suspend`: a running application ends, and is kept; a schedule starts no more runs. */
export function suspendCommand(line: CommandLine, context: CommandContext): Promise<number> {
  return forKind(line, (kind) =>
    eachNamed(kind, line, context, (client, object) => setSuspend(kind, client, object, true, context)),
  );
}

/** `kindling app resume`: an application starts again; a schedule goes on, with one run at once if it has missed any. */
export function resumeCommand(line: CommandLine, context: CommandContext): Promise<number> {
  return forKind(line, (kind) =>
    eachNamed(kind, line, context, (client, object) => setSuspend(kind, client, object, false, context)),
  );
}

async function setSuspend<V extends Operated>(
  kind: OperatedKind<V>,
  client: KubeClient,
  object: OperatedObject,
  suspend: boolean,
  { output }: CommandContext,
): Promise<void> {
  const view = kind.viewOf(object);
  const { namespace, name, suspended, state } = view;
  const called = `${namespace}:${name}`;
  if (suspended === suspend) {
    output.out(`${called} ${suspend ? "is suspended already" : "is not suspended"}\n`);
    return;
  }
  await client.patch(kind.type, name, "merge", { spec: { suspend } }, { namespace });
  output.out(`${suspend ? "suspended" : "resumed"} ${called}\n`);
  if (suspend && kind.isLast(view))
    printNotice(`${called} has ended: ${state}; it stays so until it is to run again`, output);
}
