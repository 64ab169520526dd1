import { isDnsLabel, KindlingError, standInName } from "@kindling/core-spec";
import { resources, type KubeClient } from "@kindling/kube";
import { podState, type PodState } from "@kindling/diagnosis";
import { podNamed } from "./pod-named.ts";

/** The applications to act on: one, named by its driver pod, or all with driver pods that have the same prefix. */
export interface Target {
  readonly namespace: string | undefined;
  readonly name: string;
  /** Whether `name` is only a prefix: the id ended in `*`. */
  readonly isPrefix: boolean;
}

/**
 * Reads `namespace:name`, `name`, or either with a `*` at the end (K8SSparkSubmitOperation).
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
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

/** The driver pods that a target names; an empty list if there are none. */
export async function findDrivers(client: KubeClient, { namespace, name, isPrefix }: Target): Promise<PodState[]> {
  if (isPrefix) {
    const { items } = await client.listAll(resources.pods, { namespace, labelSelector: "spark-role=driver" });
    return items.map(podState).filter((pod) => pod.name.startsWith(name));
  }
  // While the gateway starts a driver again, another pod stands in for it.
  const pod = (await podNamed(client, namespace, name)) ?? (await podNamed(client, namespace, standInName(name)));
  return pod === undefined ? [] : [podState(pod)];
}
