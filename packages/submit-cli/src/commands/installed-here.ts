import type { CommandContext } from "@kindling/command-line";
import { sparkConf } from "@kindling/core-spec";
import { findInstallation, INSTALLATION, type EffectiveEntry, type Installation, type Reach } from "@kindling/submit";
import { reachCluster } from "./target.ts";

/**
 * The way to the cluster that a submission from here would use, as far as the command line does not set it: from
 * `spark-defaults.conf`, the environment, and so on.
 *
 * @param own the entries of this machine
 */
export function reachHere(own: readonly EffectiveEntry[], reach: Reach): Reach {
  const conf = { ...Object.fromEntries(own.map(({ key, value }) => [key, value])), ...reach.conf };
  const { "spark.master": configured, "spark.kubernetes.namespace": namespace } = conf;
  const master = reach.master ?? (configured?.startsWith("k8s://") === true ? configured : undefined);
  return { ...reach, master, namespace: reach.namespace ?? namespace, conf };
}

/**
 * The installation that a submission from here would use; `undefined` if there is none.
 *
 * @param own the entries of this machine, which say how to reach the cluster if the command line does not
 * @throws KindlingError if the cluster cannot be asked, `KUBECONFIG_INVALID` if there is none
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
