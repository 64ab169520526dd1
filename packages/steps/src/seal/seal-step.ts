import {
  SPARK_APP_ID_LABEL,
  SPARK_ROLE_DRIVER,
  SPARK_ROLE_EXECUTOR,
  SPARK_ROLE_LABEL,
  type NetworkPolicy,
  type Secret,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { BLOCK_MANAGER_PORT, DRIVER_BLOCK_MANAGER_PORT, DRIVER_PORT } from "../keys/pod-keys.ts";
import { withResources } from "../spark-pod.ts";
import { SECRET_FILE, SECRET_TEXT } from "./seal-entries.ts";
import { SEAL } from "./seal-keys.ts";

const LAST_PORT = 65_535;

/**
 * Makes the Secret of a sealed application, and network policies by which only its own pods reach the ports that driver and
 * executors use among each other. Other ports of the driver, such as that of its web UI, stay open.
 *
 * The Secret is created after the driver's pod, which waits for it. It never changes: a submission that is repeated with the
 * same id must not take the secret away from executors that run.
 *
 * @param secret 32 random bytes in base64
 */
export function sealStep(secretName: string, secret: string): Step {
  return {
    name: "seal",
    keys: [SEAL],
    configureDriver(spec, submission) {
      const { namespace, appId, conf } = submission;
      const sealed: Secret = {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: secretName, namespace, labels: { [SPARK_APP_ID_LABEL]: appId } },
        type: "Opaque",
        immutable: true,
        data: { [SECRET_FILE]: secret, [SECRET_TEXT]: Buffer.from(secret).toString("base64") },
      };
      // From Spark 4.2 on, executors have the same policy from Spark's own step.
      const policies = conf.version.has("network-policy")
        ? [driverPolicy(submission)]
        : [driverPolicy(submission), executorPolicy(submission)];
      return withResources(spec, sealed, ...policies);
    },
  };
}

function driverPolicy(submission: Submission): NetworkPolicy {
  const { conf } = submission;
  const blockManager = conf.has(DRIVER_BLOCK_MANAGER_PORT)
    ? conf.get(DRIVER_BLOCK_MANAGER_PORT)
    : conf.get(BLOCK_MANAGER_PORT);
  const others = portsExcept([conf.get(DRIVER_PORT), blockManager]);
  return policy(submission, "driver-policy", SPARK_ROLE_DRIVER, [{ ports: others }]);
}

function executorPolicy(submission: Submission): NetworkPolicy {
  return policy(submission, "policy", SPARK_ROLE_EXECUTOR, []);
}

type Ingress = NonNullable<NonNullable<NetworkPolicy["spec"]>["ingress"]>;

function policy(
  { appId, namespace, resourceNamePrefix }: Submission,
  suffix: string,
  role: string,
  others: Ingress,
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

/** All other TCP ports, as ranges. */
function portsExcept(closed: readonly number[]): NonNullable<Ingress[number]["ports"]> {
  const bounds = [0, ...[...new Set(closed)].filter((port) => port > 0).sort((a, b) => a - b), LAST_PORT + 1];
  return bounds.slice(1).flatMap((end, index) => {
    const first = (bounds[index] ?? 0) + 1;
    const last = end - 1;
    if (last < first) return [];
    return [{ protocol: "TCP", port: first, ...(last > first && { endPort: last }) }];
  });
}
