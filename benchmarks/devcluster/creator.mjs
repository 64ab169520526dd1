// @ts-check
// Creates pods, sixteen at a time, and reports how many it created per second.
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";

const [kubeconfig, namespace = "default", prefix, count, gated] = process.argv.slice(2);
const client = createKubeClient(await loadClusterAccess({ env: { KUBECONFIG: kubeconfig } }), { namespace });

/** @param {string} name */
function pod(name) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { "spark-app-selector": "spark-1", "spark-role": "executor" } },
    spec: {
      ...(gated === "gated" ? { schedulingGates: [{ name: "example.com/benchmark" }] } : {}),
      restartPolicy: "Never",
      containers: [
        {
          name: "spark-kubernetes-executor",
          image: "apache/spark:4.3.0",
          args: ["executor"],
          env: Array.from({ length: 10 }, (_, index) => ({ name: `SPARK_${index}`, value: `value ${index}` })),
          resources: { requests: { cpu: "1", memory: "1408Mi" }, limits: { memory: "1408Mi" } },
          ports: [{ name: "blockmanager", containerPort: 7079 }],
        },
      ],
    },
  };
}

let next = 0;
const started = performance.now();
await Promise.all(
  Array.from({ length: 16 }, async () => {
    for (let index = next++; index < Number(count); index = next++)
      await client.create(resources.pods, pod(`${prefix}-${index}`));
  }),
);
process.stdout.write(`${Number(count) / ((performance.now() - started) / 1000)}\n`);
client.close();
