import { sparkConf, type SparkConf } from "@kindling/core-spec";
import { isKubeError, linkedAbort, resources, type ClusterAccess, type KubeClient } from "@kindling/kube";
import { NAMESPACE } from "@kindling/steps";
import { clusterError } from "../../cluster/cluster-error.ts";
import { connect } from "../../cluster/connect.ts";
import { INSTALLATION, NO_INSTALLATION } from "../../keys/installation-key.ts";
import type { Configuration } from "../configuration/configure.ts";
import { findInstallation, type FindInstallation } from "./find-installation.ts";
import type { Installation } from "./installation.ts";
import { asksForLabels } from "./queue-offered.ts";
import { effectiveInstallation } from "./with-installation.ts";

/** Makes a client of the cluster, with the configuration's time-outs. */
export type ConnectCluster = (access: ClusterAccess, conf: SparkConf, namespace: string) => KubeClient;

export interface InstallationSource {
  /** An existing client; it stays open. */
  readonly client: KubeClient | undefined;
  /** How to reach the cluster if there is no client. */
  readonly cluster: ClusterAccess | undefined;
  /** Makes a client, which the caller closes. Default: a client for this question alone. */
  readonly connectCluster: ConnectCluster | undefined;
  /** Default: {@link findInstallation} */
  readonly find: FindInstallation | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * The installation that serves a submission, with only the entries that have an effect; `undefined` if there is none, or if
 * there is no cluster to ask.
 *
 * @throws KindlingError
 */
export async function gatherInstallation(
  { entries, env }: Pick<Configuration, "entries" | "env">,
  { client, cluster, connectCluster, find = findInstallation, signal }: InstallationSource,
): Promise<Installation | undefined> {
  const conf = sparkConf(entries, { sparkVersion: "", env: (name) => env[name] });
  const named = conf.get(INSTALLATION);
  const namespace = conf.raw(NAMESPACE.key) ?? "default";
  if (named === NO_INSTALLATION || (client === undefined && cluster === undefined)) return undefined;
  const made =
    client === undefined && cluster !== undefined ? (connectCluster ?? connect)(cluster, conf, namespace) : undefined;
  const api = client ?? made;
  const interruption = linkedAbort(signal);
  try {
    const found = api && (await find(api, { namespace, named, signal: interruption.signal }));
    if (api === undefined || found === undefined) return undefined;
    const effective = effectiveInstallation(found, entries);
    if (!asksForLabels(effective)) return effective;
    return { ...effective, namespaceLabels: await labelsOf(api, namespace, interruption.signal) };
  } finally {
    interruption.release();
    if (connectCluster === undefined) made?.close();
  }
}

/** Most submitters may not see their namespace: then only the gateway knows the labels. */
async function labelsOf(
  client: KubeClient,
  namespace: string,
  signal: AbortSignal,
): Promise<Installation["namespaceLabels"]> {
  try {
    const { metadata } = await client.get(resources.namespaces, namespace, { signal });
    return metadata?.labels ?? {};
  } catch (error) {
    if (isKubeError(error) && error.kind === "status" && (error.status === 404 || error.status === 403))
      return undefined;
    throw clusterError(error);
  }
}
