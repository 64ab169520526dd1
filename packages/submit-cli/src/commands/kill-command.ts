import { type CommandContext, type CommandLine } from "@kindling/command-line";
import { KindlingError, sparkConf } from "@kindling/core-spec";
import {
  clusterError,
  configure,
  findDrivers,
  GRACE_PERIOD,
  killApplication,
  parseApplicationName,
  parseTarget,
  podState,
  resolveSparkVersion,
  type OpenCluster,
} from "@kindling/submit";
import { type SubmitArguments, toRequest } from "@kindling/spark-arguments";
import { refuseFlagsOfLater } from "./plan-offline.ts";
import { reachOf } from "./reach-options.ts";
import { findPods } from "./find-pods.ts";
import { reachCluster } from "./target.ts";

/** `kindling kill`: a missing application is an error. */
export async function killCommand(line: CommandLine, context: CommandContext): Promise<number> {
  if (line.operands.length === 0) {
    throw new KindlingError("ARGUMENT_INVALID", "which application? name it by its name, its id or its driver pod", {
      hint: "kindling list shows them",
    });
  }
  const names = line.operands.map(parseApplicationName);
  const asked = gracePeriod(line.value("grace-period"));
  const connection = await reachCluster(reachOf(line), context);
  try {
    const grace = asked ?? connection.conf.get(GRACE_PERIOD);
    let missing = 0;
    for (const wanted of names) {
      const drivers = await findPods(connection.client, wanted, context.output);
      for (const driver of drivers.map(podState)) {
        await killApplication(connection.client, driver, grace);
        context.output.out(`killed ${driver.namespace}:${driver.name}\n`);
      }
      if (drivers.length === 0) missing++;
    }
    return missing === 0 ? 0 : 1;
  } catch (error) {
    throw clusterError(error);
  } finally {
    connection.client.close();
  }
}

/** `kindling submit --kill ID`: with spark-submit's own answers; it succeeds even if there is nothing to kill. */
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
    if (drivers.length === 0) {
      if (target.isPrefix) output.err("No applications found.\n");
      else if (conf.version.has("kill-tells-of-nothing")) output.err("Application not found.\n");
    }
    for (const driver of drivers) {
      if (target.isPrefix) output.err(`Deleting driver pod: ${driver.name}.\n`);
      await killApplication(client, driver, grace);
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
): Promise<OpenCluster & { readonly master: string }> {
  const configuration = configure(toRequest(args), context.outside, "this-machine");
  refuseFlagsOfLater(args, configuration);
  const { entries, env } = configuration;
  const master = entries["spark.master"];
  const sparkVersion = resolveSparkVersion(entries, env, () => undefined);
  const conf = sparkConf(entries, { sparkVersion, env: (name) => env[name] });
  const connection = await reachCluster({ master, context: undefined, namespace: undefined, conf: entries }, context);
  return { ...connection, conf, master: master ?? `k8s://${connection.client.access.server}` };
}

function gracePeriod(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw new KindlingError("ARGUMENT_INVALID", `--grace-period ${text}: must be a number of seconds`);
  return Number(text);
}
