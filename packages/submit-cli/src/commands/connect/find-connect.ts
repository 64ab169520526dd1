import type { CommandContext, CommandLine } from "@kindling/command-line";
import { KindlingError, type SparkConf, sparkConf, USUAL_NAMESPACE } from "@kindling/core-spec";
import { isKubeError, type KubeClient, resources } from "@kindling/kube";
import {
  CONNECT_URI,
  effectiveEntries,
  findInstallation,
  INSTALLATION,
  type Installation,
  type Reach,
  secretsIn,
} from "@kindling/submit";
import type { Service } from "kubernetes-types/core/v1.js";
import { confOf, reachOf } from "../reach-options.ts";
import { reachHere } from "../installed-here.ts";
import { reachCluster } from "../target.ts";
import { type ConnectAddress, parseConnectAddress } from "./connect-address.ts";
import { addressOf, CONNECT_SERVICE, connectService } from "./service-behind.ts";

const VARIABLE = "KINDLING_CONNECT_URI";

/** A cluster that is connected to when it is asked for the first time. */
export interface ClusterOnDemand {
  client(): Promise<KubeClient>;
  close(): void;
}

/** Where Spark Connect is served for many users, and what is known about it. */
export interface FoundConnect {
  readonly address: ConnectAddress;
  /** What this machine, the command line and the installation say. */
  readonly conf: SparkConf;
  /** CA certificates in PEM of the installation that it is of; `undefined` if somebody else has named the address. */
  readonly ca: string | undefined;
}

/** The cluster that a submission from here would use. */
export function clusterOnDemand(line: CommandLine, context: CommandContext): ClusterOnDemand {
  let opened: Promise<KubeClient> | undefined;
  return {
    client: () => (opened ??= reachCluster(placeOf(line, context), context).then(({ client }) => client)),
    close: () => void opened?.then((client) => client.close()).catch(() => undefined),
  };
}

/**
 * The address that the command line, the environment or the configuration names; else that of the installation; else that of
 * the chart's service. The cluster is asked only if nothing of this machine names it.
 *
 * @throws KindlingError `CONF_MISSING` if there is none
 */
export async function findConnect(
  line: CommandLine,
  cluster: ClusterOnDemand,
  context: CommandContext,
): Promise<FoundConnect> {
  const { outside, signal, secrets } = context;
  const { conf: entries } = placeOf(line, context);
  for (const secret of secretsIn(entries)) secrets.hide(secret);
  const written = (more: Readonly<Record<string, string>>): SparkConf =>
    sparkConf({ ...more, ...entries }, { sparkVersion: "", env: (name) => outside.env[name] });
  const own = written({});
  const named = namedAddress(line, own, context);
  if (named !== undefined) return { address: named, conf: own, ca: undefined };
  const client = await cluster.client();
  const wanted = own.get(INSTALLATION);
  const installation = await findInstallation(client, { namespace: client.namespace, named: wanted, signal });
  const conf = written(installation?.entries ?? {});
  const published = conf.get(CONNECT_URI);
  const ca = installation?.ca;
  if (published !== undefined) return { address: parseConnectAddress(published, CONNECT_URI.key), conf, ca };
  const address = await addressInCluster(client, namespacesFor(client, wanted, installation), signal);
  if (address === undefined) throw noConnect();
  return { address, conf, ca };
}

function placeOf(line: CommandLine, { outside }: CommandContext): Reach {
  const reach = reachOf(line);
  return reachHere(effectiveEntries({ conf: reach.conf }, outside), reach);
}

/** `--conf` counts more than the environment, and that more than a file. */
function namedAddress(line: CommandLine, own: SparkConf, { outside }: CommandContext): ConnectAddress | undefined {
  const option = line.value("address");
  if (option !== undefined) return parseConnectAddress(option, "--address");
  const variable = outside.env[VARIABLE];
  const isGiven = confOf(line)[CONNECT_URI.key] !== undefined;
  if (!isGiven && variable !== undefined && variable !== "") return parseConnectAddress(variable, VARIABLE);
  const configured = own.get(CONNECT_URI);
  return configured === undefined ? undefined : parseConnectAddress(configured, CONNECT_URI.key);
}

function namespacesFor(
  client: KubeClient,
  wanted: string | undefined,
  installation: Installation | undefined,
): readonly string[] {
  if (wanted === "none") return [];
  if (installation !== undefined) return [...new Set([installation.namespace, USUAL_NAMESPACE])];
  return [...new Set([client.namespace, USUAL_NAMESPACE])];
}

async function addressInCluster(
  client: KubeClient,
  namespaces: readonly string[],
  signal: AbortSignal,
): Promise<ConnectAddress | undefined> {
  for (const namespace of namespaces) {
    for (const service of await servicesIn(client, namespace, signal)) {
      const found = connectService(service);
      if (found !== undefined) return addressOf(service, found);
    }
  }
  return undefined;
}

/** A namespace that this user may not look into has none. */
async function servicesIn(client: KubeClient, namespace: string, signal: AbortSignal): Promise<readonly Service[]> {
  try {
    const { items } = await client.listAll(resources.services, { namespace, labelSelector: CONNECT_SERVICE, signal });
    return items;
  } catch (error) {
    if (isKubeError(error) && error.kind === "status" && (error.status === 403 || error.status === 404)) return [];
    throw error;
  }
}

function noConnect(): KindlingError {
  return new KindlingError("CONF_MISSING", "no address of kindling-connect is known", {
    hint: `name it with --address sc://HOST:PORT, ${VARIABLE} or ${CONNECT_URI.key}; the chart installs it with connect.enabled=true`,
  });
}
