import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { FakeDriver } from "./fake-driver.ts";

/** Runs a driver with a file of tokens from a Secret, as a submission makes it. */
export async function driverWithTokens(cluster: TestCluster, name: string, tokens: Buffer): Promise<FakeDriver> {
  const secret = `${name}-delegation-tokens`;
  await cluster.send("POST", "/api/v1/namespaces/spark-jobs/secrets", {
    metadata: { name: secret },
    immutable: true,
    data: { "hadoop-tokens": tokens.toString("base64") },
  });
  const mountPath = "/mnt/secrets/hadoop-credentials";
  return await FakeDriver.run(cluster, name, {
    spec: {
      volumes: [{ name: "hadoop-secret", secret: { secretName: secret } }],
      containers: [
        {
          name: "spark-kubernetes-driver",
          image: "spark",
          env: [{ name: "HADOOP_TOKEN_FILE_LOCATION", value: `${mountPath}/hadoop-tokens` }],
          volumeMounts: [{ name: "hadoop-secret", mountPath }],
        },
      ],
    },
  });
}
