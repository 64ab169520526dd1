import {
  SPARK_APP_ID_LABEL,
  SPARK_ROLE_EXECUTOR,
  SPARK_ROLE_LABEL,
  type NetworkPolicy,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { withResources } from "../spark-pod.ts";

/**
 * Allows only pods of the same application to connect to executors. Counterpart of `NetworkPolicyFeatureStep`, which came
 * with Spark 4.2.0.
 */
export const networkPolicy: Step = {
  name: "network-policy",
  configureDriver: (spec, submission) => withResources(spec, executorPolicy(submission)),
};

/** By it, only pods of the same application connect to executors. */
export function executorPolicy(submission: Submission): NetworkPolicy {
  return applicationPolicy(submission, "policy", SPARK_ROLE_EXECUTOR);
}

export type PolicyIngress = NonNullable<NonNullable<NetworkPolicy["spec"]>["ingress"]>;

/**
 * A policy by which pods of an application's role are reached from pods of the same application.
 *
 * @param others what may come in besides
 */
export function applicationPolicy(
  { appId, namespace, resourceNamePrefix }: Submission,
  suffix: string,
  role: string,
  others: PolicyIngress = [],
): NetworkPolicy {
  const application = { [SPARK_APP_ID_LABEL]: appId };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: `${resourceNamePrefix}-${suffix}`, namespace, labels: application },
    spec: {
      podSelector: { matchLabels: { [SPARK_ROLE_LABEL]: role, ...application } },
      ingress: [{ from: [{ podSelector: { matchLabels: application } }] }, ...others],
    },
  };
}
