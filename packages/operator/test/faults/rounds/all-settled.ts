import { eventually } from "@kindling/test-kit/eventually";
import type { SparkApplicationStatus } from "@kindling/spark-application";
import type { OperatedCluster, StoredApplication } from "../../support/operated-cluster.ts";

const APPLICATIONS = "/apis/sparkoperator.k8s.io/v1beta2/namespaces/spark-jobs/sparkapplications";
const SETTLED = new Set(["RUNNING", "COMPLETED", "FAILED", "SUSPENDED"]);

/** Waits until no application changes its state any more by itself; returns their statuses by name. */
export async function allSettled(operated: OperatedCluster): Promise<Readonly<Record<string, SparkApplicationStatus>>> {
  return await eventually(async () => {
    const { items } = (await operated.cluster.send("GET", APPLICATIONS)) as { readonly items: StoredApplication[] };
    const unsettled = items.filter(({ status }) => !SETTLED.has(status?.applicationState?.state ?? ""));
    if (unsettled.length > 0) {
      const [{ metadata, status }] = unsettled as [StoredApplication];
      throw new Error(`${unsettled.length} are not settled, ${metadata.name} is ${JSON.stringify(status)}`);
    }
    return Object.fromEntries(items.map(({ metadata, status }) => [metadata.name, status as SparkApplicationStatus]));
  });
}
