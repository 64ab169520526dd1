import { sparkConf, type SparkConf } from "@kindling/core-spec";
import { linkedAbort, type ClusterAccess, type KubeClient } from "@kindling/kube";
import { NAMESPACE, POD_SECURITY } from "@kindling/steps";
import { connect } from "../../cluster/connect.ts";
import { INSTALLATION, NO_INSTALLATION } from "../../keys/installation-key.ts";
import type { Configuration } from "../configuration/configure.ts";
import { findInstallation, type FindInstallation } from "./find-installation.ts";
import { podSecurityEntries } from "./found-level.ts";
import type { Installation } from "./installation.ts";
import { findNamespaceLabels, type FindNamespaceLabels } from "./namespace-labels.ts";
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
  /** Default: {@link findNamespaceLabels} */
  readonly namespaceLabels: FindNamespaceLabels | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What the cluster tells about the place of a submission. */
export interface FoundInCluster {
  /** The installation that serves it, with only the entries that have an effect; `undefined` if there is none. */
  readonly installation: Installation | undefined;
  /** Entries of the lowest precedence about the application's namespace. */
  readonly namespaceEntries: Readonly<Record<string, string>>;
}

const NOTHING: FoundInCluster = { installation: undefined, namespaceEntries: {} };

/**
 * Asks the cluster for the installation that serves a submission, and for the labels of its namespace, both at once. Without a
 * cluster to ask, nothing is found.
 *
 * @throws KindlingError
 */
export async function gatherInstallation(
  { entries, env }: Pick<Configuration, "entries" | "env">,
  source: InstallationSource,
): Promise<FoundInCluster> {
  const { client, cluster, connectCluster, signal } = source;
  const conf = sparkConf(entries, { sparkVersion: "", env: (name) => env[name] });
  const namespace = conf.raw(NAMESPACE.key) ?? "default";
  const made =
    client === undefined && cluster !== undefined ? (connectCluster ?? connect)(cluster, conf, namespace) : undefined;
  const api = client ?? made;
  if (api === undefined) return NOTHING;
  const interruption = linkedAbort(signal);
  try {
    return await askCluster(api, { entries, conf, namespace }, { ...source, signal: interruption.signal });
  } finally {
    interruption.release();
    if (connectCluster === undefined) made?.close();
  }
}

interface Submitted {
  readonly entries: Readonly<Record<string, string>>;
  readonly conf: SparkConf;
  readonly namespace: string;
}

async function askCluster(
  client: KubeClient,
  { entries, conf, namespace }: Submitted,
  { find = findInstallation, namespaceLabels = findNamespaceLabels, signal }: InstallationSource,
): Promise<FoundInCluster> {
  const named = conf.get(INSTALLATION);
  if (named === NO_INSTALLATION) return NOTHING;
  const looksForLevel = conf.raw(POD_SECURITY.key) === undefined;
  const [found, labels] = await Promise.all([
    find(client, { namespace, named, signal }),
    looksForLevel ? namespaceLabels(client, namespace, signal) : undefined,
  ]);
  const namespaceEntries = podSecurityEntries(labels);
  if (found === undefined) return { installation: undefined, namespaceEntries };
  const installation = effectiveInstallation(found, entries);
  if (!asksForLabels(installation)) return { installation, namespaceEntries };
  const known = looksForLevel ? labels : await namespaceLabels(client, namespace, signal);
  return { installation: { ...installation, namespaceLabels: known }, namespaceEntries };
}
