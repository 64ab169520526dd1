import { createRedactor, REDACTED, sparkConf, type Redactor, type SparkConf } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Env } from "@kindling/outside";
import { connect } from "../../cluster/connect.ts";
import { CONNECTION_KEYS } from "../../keys/connection-keys.ts";
import { secretsIn } from "../../secrets/redact.ts";
import { apiServerUrl } from "../configuration/master-url.ts";
import { clusterAccess } from "./cluster-access.ts";

/** How to reach the cluster for commands that submit nothing. */
export interface Reach {
  /** `k8s://https://host:port`; the context's own if undefined. */
  readonly master: string | undefined;
  /** The context of the kubeconfig. */
  readonly context: string | undefined;
  readonly namespace: string | undefined;
  /** Configuration entries about the connection. */
  readonly conf: Readonly<Record<string, string>>;
}

/** Whether two lead to the same cluster and namespace, as the same user, with the same limits. */
export function isSameReach(one: Reach, other: Reach): boolean {
  if (one.master !== other.master || one.context !== other.context || one.namespace !== other.namespace) return false;
  return CONNECTION_KEYS.every(({ key }) => {
    const value = one.conf[key];
    // A reference to another key may mean something else in another configuration.
    return value === other.conf[key] && value?.includes("${") !== true;
  });
}

/** A connection, and the configuration that it was made from. */
export interface OpenCluster {
  readonly client: KubeClient;
  readonly conf: SparkConf;
}

/**
 * Opens a connection as the kubeconfig says, overridden by the configuration.
 *
 * @param tell called with a line that says what is waited for when credentials take long
 * @throws KindlingError
 */
export async function openCluster(
  reach: Reach,
  env: Env,
  tell: (message: string) => void = () => {},
  secrets: Redactor = createRedactor(REDACTED),
): Promise<OpenCluster> {
  const entries = { ...reach.conf, ...(reach.context !== undefined && { "spark.kubernetes.context": reach.context }) };
  const conf = sparkConf(entries, { sparkVersion: "", env: (name) => env[name] });
  for (const secret of secretsIn(entries)) secrets.hide(secret);
  const server = reach.master === undefined ? undefined : apiServerUrl(reach.master);
  const access = await clusterAccess(conf, env, secrets, server, tell);
  return { client: connect(access, conf, reach.namespace ?? access.namespace ?? "default"), conf };
}
