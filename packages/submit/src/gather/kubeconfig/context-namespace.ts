import { NAMESPACE } from "@kindling/steps";
import type { Notices } from "../../notices.ts";
import type { Configuration } from "../configuration/configure.ts";
import type { GatheredCluster } from "./gather-cluster.ts";

/**
 * The configuration with the namespace of the kubeconfig's context if neither a namespace nor a master is given: all other
 * commands use it, and so does kubectl. With a master, spark-submit takes `default`, and Kindling does the same. If the two
 * differ, a notice says which one is used.
 */
export function withContextNamespace(
  configuration: Configuration,
  context: GatheredCluster["context"],
  notices: Notices,
): Configuration {
  const { entries } = configuration;
  const { namespace, name } = context ?? {};
  if (namespace === undefined || namespace === "default" || entries[NAMESPACE.key] !== undefined) return configuration;
  const origin = name === undefined ? "this pod's" : `that of context ${name}`;
  if (entries["spark.master"] !== undefined) {
    notices.add(`the namespace is default, as --master is given; ${origin} is ${namespace}: --namespace ${namespace}`);
    return configuration;
  }
  notices.add(`the namespace is ${namespace}, ${origin}`);
  return { ...configuration, entries: { ...entries, [NAMESPACE.key]: namespace } };
}
