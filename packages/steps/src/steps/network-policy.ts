import {
  SPARK_APP_ID_LABEL,
  SPARK_ROLE_EXECUTOR,
  SPARK_ROLE_LABEL,
  type NetworkPolicy,
  type Step,
} from "@kindling/core-spec";
import { withResources } from "../spark-pod.ts";

/**
 * Allows only pods of the same application to connect to executors. Counterpart of `NetworkPolicyFeatureStep`, which came
 * with Spark 4.2.0.
 */
export const networkPolicy: Step = {
  name: "network-policy",
  configureDriver(spec, { appId, namespace, resourceNamePrefix }) {
    const application = { [SPARK_APP_ID_LABEL]: appId };
    const policy: NetworkPolicy = {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: `${resourceNamePrefix}-policy`, namespace, labels: application },
      spec: {
        podSelector: { matchLabels: { [SPARK_ROLE_LABEL]: SPARK_ROLE_EXECUTOR, ...application } },
        ingress: [{ from: [{ podSelector: { matchLabels: application } }] }],
      },
    };
    return withResources(spec, policy);
  },
};
