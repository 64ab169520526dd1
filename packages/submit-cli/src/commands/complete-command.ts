import type { CommandContext, CommandLine } from "@kindling/command-line";
import { KindlingError, SPARK_APP_NAME_LABEL, SPARK_ROLE_DRIVER, SPARK_ROLE_LABEL } from "@kindling/core-spec";
import { kubeconfigContexts, resources, type KubeClient } from "@kindling/kube";
import { clusterError, type Reach } from "@kindling/submit";
import { queueNames } from "./queue-command.ts";
import { reachCluster } from "./target.ts";

/** Whoever has pressed the tab key waits no longer than that. */
const LIMIT_MS = 3000;

/** What a shell puts into a command line as it is. A kubeconfig may name a context in any way. */
const PLAIN_NAME = /^[\w.:@/+-]+$/;

type Names = (typed: readonly string[], context: CommandContext) => Promise<readonly string[]>;

const KINDS: Readonly<Record<string, Names>> = { applications, namespaces, contexts, queues, app };

/** `kindling complete KIND -- WORDS`: names for a command line of which these words are there already, one a line. */
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

/** Names and driver pods of the applications of one namespace: an ordinary user may not look at others. */
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

/** Those of the cluster; for whoever may not list them, those of the kubeconfig's contexts. */
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

/** Those of the gateway that the command would ask. */
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

/** What `kindling app` takes. */
async function app(typed: readonly string[], context: CommandContext): Promise<readonly string[]> {
  const { appWords } = await import("./app/index.ts");
  return await appWords(typed, context.outside.cwd, (ask) => withCluster(typed, context, ask));
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

/** Which cluster and namespace a command line is about, as far as it is typed. */
function reachIn(typed: readonly string[]): Reach {
  const [master, context] = ["--master", "--context"].map((name) => valueIn(typed, name));
  return { master, context, namespace: valueIn(typed, "--namespace", "-n"), conf: {} };
}

/** The value that the last of an option's occurrences has. */
function valueIn(typed: readonly string[], ...names: readonly string[]): string | undefined {
  // A shell may break words at the '=' of an option and its value.
  const words = typed.flatMap((word) => word.split(/^(--[a-z]+)=/)).filter((word) => word !== "" && word !== "=");
  const at = words.findLastIndex((word) => names.includes(word));
  return at < 0 ? undefined : words[at + 1];
}
