import { paint, type CommandContext } from "@kindling/command-line";
import { harmlessText, isKindlingError, sparkConf } from "@kindling/core-spec";
import { isKubeError } from "@kindling/kube";
import { effectiveInstallation, findInstallation, INSTALLATION, type EffectiveEntry } from "@kindling/submit";
import { reachCluster } from "./target.ts";

/**
 * The entries that an installation in the cluster adds to those of this machine. Without a cluster there are none; of one
 * that cannot be asked, the user is told.
 */
export async function installedEntries(
  own: readonly EffectiveEntry[],
  context: CommandContext,
): Promise<readonly EffectiveEntry[]> {
  const { output, outside } = context;
  const entries = Object.fromEntries(own.map(({ key, value }) => [key, value]));
  const conf = sparkConf(entries, { sparkVersion: "", env: (name) => outside.env[name] });
  const namespace = entries["spark.kubernetes.namespace"];
  const master = entries["spark.master"]?.startsWith("k8s://") === true ? entries["spark.master"] : undefined;
  try {
    const named = conf.get(INSTALLATION);
    if (named === "none") return [];
    const { client } = await reachCluster({ master, context: undefined, namespace, conf: entries }, context);
    try {
      const found = await findInstallation(client, { namespace: client.namespace, named, signal: context.signal });
      if (found === undefined) return [];
      const origin = `the installation in namespace ${found.namespace}`;
      const added = Object.entries(effectiveInstallation(found, entries).entries);
      return added.map(([key, value]) => ({ key, value, origin, hidden: [] }));
    } finally {
      client.close();
    }
  } catch (error) {
    if (!isKindlingError(error)) throw error;
    if (!isNoCluster(error.cause)) {
      output.err(`${paint(output, "yellow", "note:")} no installation is shown: ${harmlessText(error.message)}\n`);
    }
    return [];
  }
}

function isNoCluster(cause: unknown): boolean {
  return isKubeError(cause) && cause.kind === "config" && cause.file === undefined;
}
