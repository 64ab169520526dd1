import { hostname } from "node:os";
import { createKubeClient } from "@kindling/kube";
import { accessReviews, findCluster } from "@kindling/service";
import type { ServerConfig } from "../config/server-config.ts";
import type { ClusterConnection } from "./cluster-connection.ts";
import { leaseElection } from "./lease-election.ts";
import { ownerTypes } from "./owner-type.ts";
import { watchedOwners } from "./watched-owners.ts";

/**
 * Makes the connection to the cluster as the configuration says. It sends no request yet: a server can start while its
 * API server is away, and deletes nothing then.
 *
 * @param notice called with a message if the kubeconfig's credentials take long
 * @throws KindlingError `KUBECONFIG_INVALID`, `CONF_INVALID`
 */
export async function connectCluster(
  config: ServerConfig,
  notice: (message: string) => void = () => undefined,
): Promise<ClusterConnection> {
  const types = ownerTypes(config["lifecycle.ownerResources"]);
  const access = await findCluster({
    kubeconfigPath: config["cluster.kubeconfig"],
    hint: "without a cluster, set lifecycle.owners=none and an auth.mode other than kubernetes",
    onWait: notice,
  });
  const client = createKubeClient(access, { userAgent: "kindling-staging-server" });
  return {
    reviews: accessReviews(client),
    watchOwners: ({ clock, onError }) =>
      watchedOwners(client, types, { clock, apartMs: config["lifecycle.confirmAfter"] * 1000, onError }),
    elect: ({ replica, onError }) =>
      leaseElection(client, {
        lease: {
          name: config["cluster.leaseName"],
          namespace: config["cluster.leaseNamespace"] ?? access.namespace ?? "default",
        },
        identity: `${hostname()}_${replica}`,
        onError,
      }),
    close: () => client.close(),
  };
}
