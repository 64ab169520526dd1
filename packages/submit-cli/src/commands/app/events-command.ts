import { formatObject, formatOf, type CommandContext, type CommandLine } from "@kindling/command-line";
import { EXIT_CODES, KindlingError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { sleep } from "@kindling/outside";
import type { ApplicationName } from "@kindling/submit";
import { REPORT_FORMATS } from "../output-formats.ts";
import { findOne, findOperated, nameIn } from "./find-operated.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { eventLine, eventsOf, eventTable } from "./object-events.ts";
import { onCluster } from "./on-cluster.ts";
import { forKind, type OperatedKind } from "./operated-kind.ts";
import type { Operated, OperatedObject } from "./operated-object.ts";

const INTERVAL_MS = 1000;

/** `kindling app events`. */
export function eventsCommand(line: CommandLine, context: CommandContext): Promise<number> {
  return forKind(line, (kind) => events(kind, line, context));
}

async function events<V extends Operated>(
  kind: OperatedKind<V>,
  line: CommandLine,
  context: CommandContext,
): Promise<number> {
  const { outside, output, secrets, signal } = context;
  const wanted = nameIn(line.operands, "events");
  const format = formatOf(line, REPORT_FORMATS);
  const isFollowed = line.has("follow");
  if (isFollowed && format !== "table")
    throw new KindlingError("ARGUMENT_INVALID", `--follow prints lines, and no ${format}`);
  return await onCluster(line, context, kind.type, async (client) => {
    const object = await findOne(client, kind, wanted);
    hideSecrets(object, secrets);
    if (isFollowed) return await follow(kind, client, wanted, object, context);
    const all = await eventsOf(client, object, signal);
    if (format !== "table") output.out(await formatObject(all, format));
    else if (all.length > 0) output.out(eventTable(all, outside.clock.now()));
    else output.err("no events; the cluster keeps them for an hour or so\n");
    return 0;
  });
}

/** Prints events as they come, until the object has ended or is gone. */
async function follow<V extends Operated>(
  kind: OperatedKind<V>,
  client: KubeClient,
  wanted: ApplicationName,
  object: OperatedObject,
  { outside, output, signal }: CommandContext,
): Promise<number> {
  const shown = new Map<string, number>();
  for (;;) {
    const [now] = await findOperated(client, kind, wanted);
    for (const event of await eventsOf(client, object, signal)) {
      if (shown.get(event.uid) === event.count) continue;
      output.out(`${eventLine(event)}\n`);
      shown.set(event.uid, event.count);
    }
    if (now === undefined || now.metadata?.uid !== object.metadata?.uid || kind.isLast(kind.viewOf(now))) return 0;
    await sleep(outside.clock, INTERVAL_MS, signal);
    if (signal.aborted) return EXIT_CODES.interrupted.code;
  }
}
