import type { CommandContext } from "@kindling/command-line";
import { sparkConf } from "@kindling/core-spec";
import { findInstallation, INSTALLATION, type EffectiveEntry, type Installation, type Reach } from "@kindling/submit";
import { reachCluster } from "./target.ts";

/**
 * The same way to a cluster, as far as the command line does not say it, as a submission from here would take: that of
 * `spark-defaults.conf`, of the environment, and so on.
 *
 * @param own the entries that this machine has
 */
export function reachHere(own: readonly EffectiveEntry[], reach: Reach): Reach {
  const conf = { ...Object.fromEntries(own.map(({ key, value }) => [key, value])), ...reach.conf };
  const { "spark.master": configured, "spark.kubernetes.namespace": namespace } = conf;
  const master = reach.master ?? (configured?.startsWith("k8s://") === true ? configured : undefined);
  return { ...reach, master, namespace: reach.namespace ?? namespace, conf };
}

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
  const place = reachHere(own, reach);
  const named = sparkConf(place.conf, { sparkVersion: "", env: (name) => outside.env[name] }).get(INSTALLATION);
  if (named === "none") return undefined;
  const { client } = await reachCluster(place, context);
  try {
    return await findInstallation(client, { namespace: client.namespace, named, signal });
  } finally {
    client.close();
  }
}
