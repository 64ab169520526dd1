import { type ConfigMap, KindlingError, SCHEDULER_CA_CONFIG_MAP } from "@kindling/core-spec";
import type { DevCluster } from "@kindling/devcluster";
import { type Gateway, loadConfig, startGateway } from "@kindling/gateway";
import { type KubeClient, resources } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import { writePrivate } from "../state/state-files.ts";
import type { StatePaths } from "../state/state-paths.ts";

const HOST = "127.0.0.1";

export interface DevGatewayOptions extends Pick<Outside, "clock" | "random"> {
  readonly cluster: Pick<DevCluster, "authority" | "serverCertificate">;
  /** The administrator's client, in the namespace of applications. */
  readonly client: KubeClient;
  readonly paths: StatePaths;
  readonly log: { write(line: string): void };
  /** The file of its queues. */
  readonly queues: string | undefined;
}

/** Where drivers look for the gateway's CA, unless their configuration says otherwise. */
function authorityMap(authority: string): ConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: SCHEDULER_CA_CONFIG_MAP },
    data: { "ca.crt": authority },
  };
}

/**
 * Starts the gateway for drivers of this machine. Its certificate is from the cluster's CA; pods use the same address as
 * users, because they are processes of this machine.
 *
 * @throws KindlingError if the file of queues has a fault
 */
export async function startDevGateway(options: DevGatewayOptions): Promise<Gateway> {
  const { cluster, client, paths, log, queues, clock, random } = options;
  if (cluster.authority === undefined) throw new KindlingError("INTERNAL", "the cluster has no authority");
  const { certificate, key } = cluster.serverCertificate("kindling-gateway", [HOST, "localhost"]);
  await Promise.all([
    writePrivate(paths.gatewayCertificate, certificate),
    writePrivate(paths.gatewayKey, key),
    client.create(resources.configmaps, authorityMap(cluster.authority)),
  ]);
  const settings = {
    "listen-host": HOST,
    "listen-port": "0",
    "admin-host": HOST,
    "admin-port": "0",
    "tls-cert-file": paths.gatewayCertificate,
    "tls-key-file": paths.gatewayKey,
    ...(queues !== undefined && { "queues-file": queues }),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  // Settings in the user's environment are for another gateway.
  const gateway = await startGateway(loadConfig({ args, env: {}, readFile: () => "" }), { client, log, clock, random });
  await gateway.ready;
  // In a cluster it would serve with the correct part of the file; here the user is present and can correct it.
  const [fault] = gateway.overview().queueFaults;
  if (fault === undefined) return gateway;
  await gateway.stop();
  throw new KindlingError("FILE_UNPARSABLE", `--queues: ${fault}`, {
    hint: "correct the file, and start again",
  });
}
