// @ts-check
import { resources } from "@kindling/kube";

/** No scheduler places these pods. The hollow kubelet that reports them as running does not look at nodes. */
export const NOWHERE = { schedulerName: "nobody" };

/** @typedef {{ name: string, namespace: string, uid: string }} DriverPod what is known about the pod of a driver */

/**
 * Creates a driver pod. No node runs it.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 * @param {string} name
 * @param {Readonly<Record<string, string>>} labels
 */
export async function driverPod(client, namespace, name, labels = {}) {
  const spec = {
    restartPolicy: "Never",
    serviceAccountName: "spark",
    automountServiceAccountToken: false,
    ...NOWHERE,
    containers: [{ name: "spark-kubernetes-driver", image: "spark" }],
  };
  const all = { "spark-role": "driver", "spark-app-selector": `spark-${name}`, ...labels };
  const pod = { metadata: { name, labels: all }, spec };
  return identityOf(await client.create(resources.pods, pod, { namespace }));
}

/**
 * @param {import("@kindling/kube").KubeObjectLike} pod
 * @returns {DriverPod}
 */
export function identityOf({ metadata: { name = "", namespace = "", uid = "" } = {} }) {
  return { name, namespace, uid };
}
