import type { ClusterAccess } from "@kindling/kube";
import type { Configuration } from "./configuration/configure.ts";
import type { Gathering } from "./gathering.ts";
import { installationNotice } from "./installation/find-installation.ts";
import { gatherInstallation } from "./installation/gather-installation.ts";
import { podSecurityNotice } from "./installation/found-level.ts";
import type { Installation } from "./installation/installation.ts";
import { withContextNamespace } from "./kubeconfig/context-namespace.ts";
import { gatherCluster } from "./kubeconfig/gather-cluster.ts";

/** Where an application runs, and the configuration with the entries of that place. */
export interface Place {
  readonly configuration: Configuration;
  readonly server: string;
  readonly cluster: ClusterAccess | undefined;
  readonly installation: Installation | undefined;
}

/** @param named the API server that the configuration names */
export async function gatherPlace(
  given: Configuration,
  named: string | undefined,
  { access, notices, connection, tell, signal, secrets, options }: Gathering,
): Promise<Place> {
  const found = await gatherCluster(connection, named, { configuration: given, access, tell, secrets });
  const { server, cluster } = found;
  const settled = withContextNamespace(given, found.context, notices);
  const { installation, namespaceEntries } = await gatherInstallation(settled, {
    client: connection.kind === "client" ? connection.client : undefined,
    cluster,
    connectCluster: options.connectCluster,
    find: options.installations,
    namespaceLabels: options.namespaceLabels,
    signal,
  });
  if (installation !== undefined) notices.add(installationNotice(installation));
  const lowest = { ...namespaceEntries, ...installation?.entries };
  const configuration = { ...settled, entries: { ...lowest, ...settled.entries } };
  const remark = podSecurityNotice(configuration.entries, settled.entries);
  if (remark !== undefined) notices.add(remark);
  return { configuration, server, cluster, installation };
}
