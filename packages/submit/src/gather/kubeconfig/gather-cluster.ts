import { isKindlingError, KindlingError, sparkConf, type Redactor } from "@kindling/core-spec";
import { isKubeError, type ClusterAccess, type KubeClient } from "@kindling/kube";
import type { Access } from "../../access.ts";
import type { Configuration } from "../configuration/configure.ts";
import { clusterAccess } from "./cluster-access.ts";

/** How a submission will reach the API server. */
export type Connection =
  /** With a connection of the caller. */
  | { readonly kind: "client"; readonly client: KubeClient }
  /** As the kubeconfig or the pod's service account says, overridden by the configuration. */
  | { readonly kind: "kubeconfig" }
  /** Not at all, for example to show a plan: then the master stays open if there is no kubeconfig. */
  | { readonly kind: "none" };

export interface ClusterInput {
  readonly configuration: Configuration;
  readonly access: Access;
  readonly tell: (message: string) => void;
  readonly secrets: Redactor;
}

export interface GatheredCluster {
  /** The address of the API server, for the driver. */
  readonly server: string;
  readonly cluster: ClusterAccess | undefined;
  /** The kubeconfig's context, if one was read. */
  readonly context: { readonly name: string | undefined; readonly namespace: string | undefined } | undefined;
}

const IN_CLUSTER_SERVER = "https://kubernetes.default.svc";

/**
 * Finds out how to reach the API server.
 *
 * @param server the address that the master names
 * @throws KindlingError `KUBECONFIG_INVALID`, `ACCESS_DENIED`
 */
export async function gatherCluster(
  connection: Connection,
  server: string | undefined,
  given: ClusterInput,
): Promise<GatheredCluster> {
  switch (connection.kind) {
    case "client":
      return { server: server ?? connection.client.access.server, cluster: undefined, context: undefined };
    case "kubeconfig": {
      if (given.access === "nothing") {
        throw new KindlingError("ACCESS_DENIED", "the kubeconfig of this machine may not be read for this submission", {
          hint: "pass a client",
        });
      }
      const cluster = await readAccess(server, given);
      return { server: server ?? cluster.server, cluster, context: contextOf(cluster) };
    }
    case "none": {
      if (server !== undefined || given.access === "nothing")
        return { server: server ?? IN_CLUSTER_SERVER, cluster: undefined, context: undefined };
      const found = await contextAccess(given);
      return { server: found?.server ?? IN_CLUSTER_SERVER, cluster: undefined, context: found && contextOf(found) };
    }
  }
}

function readAccess(
  server: string | undefined,
  { configuration: { entries, env }, secrets, tell }: ClusterInput,
): Promise<ClusterAccess> {
  const conf = sparkConf(entries, { sparkVersion: "", env: (name) => env[name] });
  return clusterAccess(conf, env, secrets, server, tell);
}

function contextOf({ contextName: name, namespace }: ClusterAccess): GatheredCluster["context"] {
  return { name, namespace };
}

async function contextAccess(given: ClusterInput): Promise<ClusterAccess | undefined> {
  try {
    return await readAccess(undefined, given);
  } catch (error) {
    const cause = isKindlingError(error) ? error.cause : undefined;
    // If the kubeconfig exists and is wrong, the error names its file.
    if (isKubeError(cause) && cause.kind === "config" && cause.file === undefined) return undefined;
    throw error;
  }
}
