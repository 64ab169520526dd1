import { resources } from "@kindling/kube";

/** Nobody places them: who makes pods run here does not look at nodes. */
export const NOWHERE = { schedulerName: "nobody" };

/** The pod of a driver that nothing runs. */
export async function driverPod(client, namespace, name, labels = {}) {
  const spec = {
    restartPolicy: "Never",
    serviceAccountName: "spark",
    automountServiceAccountToken: false,
    ...NOWHERE,
    containers: [{ name: "spark-kubernetes-driver", image: "spark" }],
  };
  const all = { "spark-role": "driver", "spark-app-selector": `spark-${name}`, ...labels };
  return await client.create(resources.pods, { metadata: { name, labels: all }, spec }, { namespace });
}
