import { harmlessText, isDnsLabel, KindlingError, sparkConf, type SparkConf } from "@kindling/core-spec";
import { isObjectNotFound, resources, type KubeClient } from "@kindling/kube";
import { apiServerUrl, clusterAccess, connect, type PodState, podState, secretsIn } from "@kindling/submit";
import { paint } from "@kindling/command-line";
import { userAgent } from "../version.ts";
import type { CommandContext } from "@kindling/command-line";

/** Which applications a command is about: one by its driver pod, or all whose driver pod's name begins alike. */
export interface Target {
  readonly namespace: string | undefined;
  readonly name: string;
  /** Whether `name` is only the beginning: the id ended in `*`. */
  readonly isPrefix: boolean;
}

/** Reads `namespace:name`, `name`, or either with a `*` at the end (K8SSparkSubmitOperation). */
export function parseTarget(id: string): Target {
  const colon = id.indexOf(":");
  const namespace = colon < 0 ? undefined : id.slice(0, colon);
  const name = id.slice(colon + 1);
  if (!/^[a-z0-9][-a-z0-9.]*\*?$|^\*$/.test(name) || (namespace !== undefined && !isDnsLabel(namespace))) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `${id}: a submission id is NAMESPACE:POD, or POD alone; a * may end it`,
    );
  }
  return name.endsWith("*")
    ? { namespace, name: name.slice(0, -1), isPrefix: true }
    : { namespace, name, isPrefix: false };
}

/** How a command reaches the cluster. */
export interface Reach {
  readonly master: string | undefined;
  readonly context: string | undefined;
  readonly namespace: string | undefined;
  readonly conf: Readonly<Record<string, string>>;
}

/** A connection, and the configuration that it was made with. */
export interface Connection {
  readonly client: KubeClient;
  readonly conf: SparkConf;
}

export async function reachCluster(reach: Reach, { env, output, secrets }: CommandContext): Promise<Connection> {
  const entries = { ...reach.conf, ...(reach.context !== undefined && { "spark.kubernetes.context": reach.context }) };
  const conf = sparkConf(entries, { sparkVersion: "", env: (name) => env[name] });
  for (const secret of secretsIn(entries)) secrets.hide(secret);
  const server = reach.master === undefined ? undefined : apiServerUrl(reach.master);
  const notice = (message: string): void =>
    output.err(`${paint(output, "yellow", "note:")} ${harmlessText(message)}\n`);
  const access = await clusterAccess(conf, env, secrets, server, notice);
  return { client: connect(access, conf, reach.namespace ?? access.namespace ?? "default", userAgent()), conf };
}

/** The driver pods that a target names; none if there are none. */
export async function findDrivers(client: KubeClient, { namespace, name, isPrefix }: Target): Promise<PodState[]> {
  if (isPrefix) {
    const { items } = await client.listAll(resources.pods, { namespace, labelSelector: "spark-role=driver" });
    return items.map(podState).filter((pod) => pod.name.startsWith(name));
  }
  try {
    return [podState(await client.get(resources.pods, name, { namespace }))];
  } catch (error) {
    if (isObjectNotFound(error, resources.pods, name)) return [];
    throw error;
  }
}
