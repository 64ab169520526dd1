import { type CommandContext, type CommandLine } from "@kindling/command-line";
import { confType, KindlingError, optionalConfKey, SPARK_ROLE_LABEL, type ConfKey } from "@kindling/core-spec";
import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import { clusterError, type PodState } from "@kindling/submit";
import type { SubmitArguments } from "../args/parse-arguments.ts";
import { mergeConf } from "../conf/merge-conf.ts";
import { reachOf } from "./reach-options.ts";
import { findDrivers, parseTarget, reachCluster, type Connection } from "./target.ts";

export const GRACE_PERIOD: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.kubernetes.appKillPodDeletionGracePeriod",
  type: confType.time("s"),
  since: "3.0.0",
  readBy: ["kill"],
  doc: "How long a driver pod has to end when its application is killed; the pod's own period if unset.",
});

/** `kindling kill`: an application that is not there is an error. */
export async function killCommand(line: CommandLine, context: CommandContext): Promise<number> {
  if (line.operands.length === 0) {
    throw new KindlingError("ARGUMENT_INVALID", "which application? name it as NAMESPACE:POD", {
      hint: "kindling list shows them",
    });
  }
  const targets = line.operands.map((id) => ({ id, target: parseTarget(id) }));
  const asked = gracePeriod(line.value("grace-period"));
  const connection = await reachCluster(reachOf(line), context);
  try {
    const grace = asked ?? connection.conf.get(GRACE_PERIOD);
    let missing = 0;
    for (const { id, target } of targets) {
      const drivers = await findDrivers(connection.client, target);
      drivers.forEach(refuseNonDriver);
      for (const driver of drivers) {
        await deletePod(connection.client, driver, grace);
        context.output.out(`killed ${driver.namespace}:${driver.name}\n`);
      }
      if (drivers.length === 0) {
        missing++;
        context.output.err(`error: ${id}: no application is there\n`);
      }
    }
    return missing === 0 ? 0 : 1;
  } catch (error) {
    throw clusterError(error);
  } finally {
    connection.client.close();
  }
}

/** `kindling submit --kill ID`: spark-submit's own answers, which is success also where there is nothing to kill. */
export async function killSubmission(id: string, args: SubmitArguments, context: CommandContext): Promise<number> {
  const { output } = context;
  const { client, conf, master } = await connectAsSubmit(args, context);
  try {
    const grace = conf.get(GRACE_PERIOD);
    output.err(
      `Submitting a request to kill submission ${id} in ${master}. Grace period in secs: ${grace ?? "not set."}\n`,
    );
    const target = parseTarget(id);
    const drivers = await findDrivers(client, target);
    if (target.isPrefix && drivers.length === 0) output.err("No applications found.\n");
    for (const driver of drivers) {
      if (target.isPrefix) output.err(`Deleting driver pod: ${driver.name}.\n`);
      await deletePod(client, driver, grace);
    }
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}

/** Reaches the cluster as `kindling submit` would for these arguments. */
export async function connectAsSubmit(
  args: SubmitArguments,
  context: CommandContext,
): Promise<Connection & { readonly master: string }> {
  const { entries, master } = mergeConf(args, context.env, context.cwd, () => {});
  const connection = await reachCluster({ master, context: undefined, namespace: undefined, conf: entries }, context);
  return { ...connection, master: master ?? `k8s://${connection.client.access.server}` };
}

function gracePeriod(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw new KindlingError("ARGUMENT_INVALID", `--grace-period ${text}: must be a number of seconds`);
  return Number(text);
}

function refuseNonDriver({ labels, namespace, name }: PodState): void {
  if (labels[SPARK_ROLE_LABEL] === "driver") return;
  throw new KindlingError("ARGUMENT_INVALID", `${namespace}:${name} is a pod, but no Spark driver`, {
    hint: "kubectl delete pod deletes any pod",
  });
}

async function deletePod(client: KubeClient, { namespace, name }: PodState, grace: number | undefined): Promise<void> {
  try {
    await client.delete(resources.pods, name, { namespace, gracePeriodSeconds: grace });
  } catch (error) {
    // Gone since it was looked for, which is what was wanted.
    if (!isObjectNotFound(error, resources.pods, name)) throw error;
  }
}
