import type { CommandContext, CommandLine } from "@kindling/command-line";
import { KindlingError, SPARK_APP_NAME_LABEL, SPARK_ROLE_DRIVER, SPARK_ROLE_LABEL } from "@kindling/core-spec";
import { kubeconfigContexts, resources, type KubeClient } from "@kindling/kube";
import { clusterError, type Reach } from "@kindling/submit";
import { queueNames } from "./queue-command.ts";
import { reachCluster } from "./target.ts";

/** A user who has pressed the tab key does not wait longer. */
const LIMIT_MS = 3000;

/** Names that a shell accepts unquoted. The contexts of a kubeconfig may have any names. */
const PLAIN_NAME = /^[\w.:@/+-]+$/;

type Names = (typed: readonly string[], context: CommandContext) => Promise<readonly string[]>;

const KINDS: Readonly<Record<string, Names>> = { applications, namespaces, contexts, queues, app, connect };

/** `kindling complete KIND -- WORDS`: names for a command line that contains these words already, one on a line. */
export async function completeCommand(
  { operands, behindDashes = [] }: CommandLine,
  context: CommandContext,
): Promise<number> {
  const [kind = ""] = operands;
  const names = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (names === undefined) {
    throw new KindlingError("ARGUMENT_INVALID", `${kind}: not one of ${Object.keys(KINDS).join(", ")}`);
  }
  const found = new Set(await names(behindDashes, context));
  for (const name of [...found].filter((one) => PLAIN_NAME.test(one)).toSorted()) context.output.out(`${name}\n`);
  return 0;
}

/** Names and driver pods of the applications of one namespace: an ordinary user may not see other namespaces. */
function applications(typed: readonly string[], context: CommandContext): Promise<readonly string[]> {
  return withCluster(typed, context, async (client, signal) => {
    const { items } = await client.listAll(resources.pods, {
      labelSelector: `${SPARK_ROLE_LABEL}=${SPARK_ROLE_DRIVER}`,
      resourceVersion: "0",
      signal,
    });
    return items.flatMap(({ metadata }) => [metadata?.name ?? "", metadata?.labels?.[SPARK_APP_NAME_LABEL] ?? ""]);
  });
}

/** The cluster's namespaces; if this user may not list them, those in the kubeconfig's contexts. */
async function namespaces(typed: readonly string[], context: CommandContext): Promise<readonly string[]> {
  try {
    return await withCluster(typed, context, async (client, signal) => {
      const { items } = await client.listAll(resources.namespaces, { resourceVersion: "0", signal });
      return items.map(({ metadata }) => metadata?.name ?? "");
    });
  } catch {
    const all = await kubeconfigContexts(context.outside);
    return all.flatMap(({ namespace }) => namespace ?? []);
  }
}

async function contexts(_: readonly string[], { outside }: CommandContext): Promise<readonly string[]> {
  return (await kubeconfigContexts(outside)).map(({ name }) => name);
}

/** The queues of the gateway that the command would ask. */
async function queues(typed: readonly string[], context: CommandContext): Promise<readonly string[]> {
  const limit = new AbortController();
  const release = context.outside.clock.after(LIMIT_MS, () => limit.abort());
  try {
    const signal = AbortSignal.any([limit.signal, context.signal]);
    return await queueNames(valueIn(typed, "--gateway"), reachIn(typed), { ...context, signal });
  } finally {
    release();
  }
}

/** The words for `kindling app`. */
async function app(typed: readonly string[], context: CommandContext): Promise<readonly string[]> {
  const { appWords } = await import("./app/index.ts");
  return await appWords(typed, context.outside.cwd, (ask) => withCluster(typed, context, ask));
}

/** The words for `kindling connect`. */
async function connect(typed: readonly string[], context: CommandContext): Promise<readonly string[]> {
  const { connectWords } = await import("./connect/index.ts");
  return await connectWords(typed, (ask) => withCluster(typed, context, ask));
}

async function withCluster<T>(
  typed: readonly string[],
  context: CommandContext,
  ask: (client: KubeClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const release = context.outside.clock.after(LIMIT_MS, () => limit.abort());
  const { client } = await reachCluster(reachIn(typed), context);
  try {
    return await ask(client, AbortSignal.any([limit.signal, context.signal]));
  } catch (error) {
    throw clusterError(error);
  } finally {
    release();
    client.close();
  }
}

/** The cluster and namespace of a command line that is not complete yet. */
function reachIn(typed: readonly string[]): Reach {
  const [master, context] = ["--master", "--context"].map((name) => valueIn(typed, name));
  return { master, context, namespace: valueIn(typed, "--namespace", "-n"), conf: {} };
}

/** The value of the last occurrence of an option. */
function valueIn(typed: readonly string[], ...names: readonly string[]): string | undefined {
  // A shell may break words at the '=' of an option and its value.
  const words = typed.flatMap((word) => word.split(/^(--[a-z]+)=/)).filter((word) => word !== "" && word !== "=");
  const at = words.findLastIndex((word) => names.includes(word));
  return at < 0 ? undefined : words[at + 1];
}
