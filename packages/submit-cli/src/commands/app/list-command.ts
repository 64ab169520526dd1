import { formatObject, formatOf, paint, type CommandContext, type CommandLine } from "@kindling/command-line";
import { closest, KindlingError } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import { table } from "../../output/table.ts";
import { LIST_FORMATS } from "../output-formats.ts";
import { watchPage } from "../../output/watch-page.ts";
import { NEW } from "./application-view.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { onCluster } from "./on-cluster.ts";
import { forKind, type OperatedKind } from "./operated-kind.ts";
import type { Operated } from "./operated-object.ts";

type Format = (typeof LIST_FORMATS)[number];

interface Shown {
  readonly format: Format;
  readonly namespaces: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** `kindling app list`. */
export function listCommand(line: CommandLine, context: CommandContext): Promise<number> {
  return forKind(line, (kind) => list(kind, line, context));
}

async function list<V extends Operated>(
  kind: OperatedKind<V>,
  line: CommandLine,
  context: CommandContext,
): Promise<number> {
  const { output, outside } = context;
  const format = formatOf(line, LIST_FORMATS);
  const states = statesOf(line, kind);
  const allNamespaces = line.has("all-namespaces");
  const labelSelector = line.value("selector");
  return await onCluster(line, context, kind.type, async (client) => {
    const read = async (): Promise<V[]> => {
      const { items } = await client.listAll(kind.type, { allNamespaces, labelSelector });
      for (const object of items) hideSecrets(object, context.secrets);
      return items.map(kind.viewOf).filter(({ state }) => states === undefined || states.has(state));
    };
    const textOf = (views: readonly V[]): Promise<string> =>
      listText(kind, views, { format, namespaces: allNamespaces, now: outside.clock.now() });
    if (line.has("watch")) return await watchPage({ read, textOf, isLast: () => false }, context);
    const views = await read();
    output.out(await textOf(views));
    if (views.length === 0 && format === "table") tellNone(kind, client, allNamespaces, context);
    return 0;
  });
}

function tellNone<V extends Operated>(
  { type, flag }: OperatedKind<V>,
  { namespace }: KubeClient,
  allNamespaces: boolean,
  { output }: CommandContext,
): void {
  output.err(`no ${type.kind} found${allNamespaces ? "" : ` in namespace ${namespace}`}\n`);
  if (allNamespaces) return;
  output.err(`${paint(output, "dim", "hint:")} kindling app list ${flag}-A shows those of all namespaces\n`);
}

/**
 * The states in `--state`, in upper or lower case, separated by commas.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
function statesOf<V extends Operated>(line: CommandLine, { states }: OperatedKind<V>): Set<string> | undefined {
  const given = line.values("state").flatMap((text) => text.split(","));
  if (given.length === 0) return undefined;
  const known = new Map(states.map((state) => [(state || NEW).toUpperCase(), state]));
  return new Set(
    given.map((text) => {
      const state = known.get(text.trim().toUpperCase());
      if (state !== undefined) return state;
      const names = states.map((one) => one || NEW);
      const near = closest(text.toUpperCase(), names);
      throw new KindlingError("ARGUMENT_INVALID", `--state ${text}: there is no such state`, {
        hint: near === undefined ? `one of ${names.join(", ")}` : `did you mean ${near}?`,
      });
    }),
  );
}

/** Objects of one kind, in the format of `-o`. */
export async function listText<V extends Operated>(
  { head, row }: OperatedKind<V>,
  views: readonly V[],
  { format, namespaces, now }: Shown,
): Promise<string> {
  switch (format) {
    case "table": {
      if (views.length === 0) return "";
      const rows = views.map((view) => [...(namespaces ? [view.namespace] : []), ...row(view, now)]);
      return table([[...(namespaces ? ["NAMESPACE"] : []), ...head], ...rows]);
    }
    case "name":
      return views.map(({ namespace, name }) => `${namespace}:${name}\n`).join("");
    case "json":
    case "yaml":
      return await formatObject(views, format);
  }
}
