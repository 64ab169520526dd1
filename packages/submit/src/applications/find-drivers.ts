import { isDnsLabel, KindlingError, standInName } from "@kindling/core-spec";
import { resources, type KubeClient } from "@kindling/kube";
import { podState, type PodState } from "@kindling/diagnosis";
import { podNamed } from "./pod-named.ts";

/** Which applications are meant: one by its driver pod, or all whose driver pod's name begins alike. */
export interface Target {
  readonly namespace: string | undefined;
  readonly name: string;
  /** Whether `name` is only the beginning: the id ended in `*`. */
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

/** The driver pods that a target names; none if there are none. */
export async function findDrivers(client: KubeClient, { namespace, name, isPrefix }: Target): Promise<PodState[]> {
  if (isPrefix) {
    const { items } = await client.listAll(resources.pods, { namespace, labelSelector: "spark-role=driver" });
    return items.map(podState).filter((pod) => pod.name.startsWith(name));
  }
  // Between two pods of a driver that the gateway starts again, a third stands in for it.
  const pod = (await podNamed(client, namespace, name)) ?? (await podNamed(client, namespace, standInName(name)));
  return pod === undefined ? [] : [podState(pod)];
}
