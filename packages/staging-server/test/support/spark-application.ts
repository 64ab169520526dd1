import { eventually } from "@kindling/test-kit/eventually";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";

const GROUP = "sparkoperator.k8s.io";
const APPLICATIONS = "sparkapplications";

/** The definition that the installation of kubeflow's Spark operator makes, as far as a staging server needs it. */
const DEFINITION = {
  metadata: { name: `${APPLICATIONS}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: {
      plural: APPLICATIONS,
      singular: "sparkapplication",
      kind: "SparkApplication",
      listKind: "SparkApplicationList",
    },
    versions: [
      {
        name: "v1beta2",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** Installs the definition, and waits until it is served. */
export async function defineApplications(cluster: TestCluster): Promise<void> {
  await cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
  await eventually(() => cluster.send("GET", `/apis/${GROUP}/v1beta2/${APPLICATIONS}`));
}

export interface Application {
  /** Writes its state, as the operator does. */
  comesTo(state: string): Promise<void>;
}

export async function makeApplication(
  cluster: TestCluster,
  namespace: string,
  labels: Readonly<Record<string, string>>,
): Promise<Application> {
  const place = `/apis/${GROUP}/v1beta2/namespaces/${namespace}/${APPLICATIONS}`;
  const metadata = { name: "application", labels };
  await cluster.send("POST", place, { apiVersion: `${GROUP}/v1beta2`, kind: "SparkApplication", metadata });
  return {
    async comesTo(state) {
      await cluster.send("PATCH", `${place}/application/status`, { status: { applicationState: { state } } });
    },
  };
}
