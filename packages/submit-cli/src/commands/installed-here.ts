import type { CommandContext } from "@kindling/command-line";
import { sparkConf } from "@kindling/core-spec";
import { findInstallation, INSTALLATION, type EffectiveEntry, type Installation, type Reach } from "@kindling/submit";
import { reachCluster } from "./target.ts";

/**
 * The installation that a submission from here would go by; `undefined` if there is none.
 *
 * @param own the entries that this machine has, which say how the cluster is reached as far as the command line does not
 * @throws KindlingError if the cluster cannot be asked, `KUBECONFIG_INVALID` where there is none
 */
export async function installedHere(
  own: readonly EffectiveEntry[],
  reach: Reach,
  context: CommandContext,
): Promise<Installation | undefined> {
  const { outside, signal } = context;
  const entries = { ...Object.fromEntries(own.map(({ key, value }) => [key, value])), ...reach.conf };
  const named = sparkConf(entries, { sparkVersion: "", env: (name) => outside.env[name] }).get(INSTALLATION);
  if (named === "none") return undefined;
  const { "spark.master": configured, "spark.kubernetes.namespace": namespace } = entries;
  const master = reach.master ?? (configured?.startsWith("k8s://") === true ? configured : undefined);
  const place = { ...reach, master, namespace: reach.namespace ?? namespace, conf: entries };
  const { client } = await reachCluster(place, context);
  try {
    return await findInstallation(client, { namespace: client.namespace, named, signal });
  } finally {
    client.close();
  }
}
