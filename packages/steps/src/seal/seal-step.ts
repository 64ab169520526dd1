import {
  SPARK_APP_ID_LABEL,
  SPARK_ROLE_DRIVER,
  SPARK_UI_TLS_PORT_NAME,
  type NetworkPolicy,
  type Secret,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { DRIVER_PORT, UI_PORT } from "../keys/pod-keys.ts";
import { onDriver, type SparkPod, withResources } from "../spark-pod.ts";
import { driverBlockManagerPort } from "../steps/basic/basic-driver.ts";
import { applicationPolicy, executorPolicy, type PolicyIngress } from "../steps/network-policy.ts";
import {
  CERTIFICATE_FILE,
  KEY_FILE,
  KEY_STORE_FILE,
  KEY_STORE_PASSWORD,
  SECRET_FILE,
  SECRET_TEXT,
} from "./seal-entries.ts";
import { uiTlsPort } from "../ui-tls-port.ts";
import { SEAL, SEAL_UI } from "./seal-keys.ts";

const LAST_PORT = 65_535;

/** What the pods of one sealed application have, and no other pod. */
export interface SealMaterial {
  /** 32 random bytes in base64. */
  readonly secret: string;
  /** For a Spark with TLS: a certificate that signs itself, and its key, in PEM. */
  readonly tls?: { readonly certificate: string; readonly key: string } | undefined;
  /** For a web UI with TLS: a key store (PKCS #12) in base64. */
  readonly ui?: { readonly keyStore: string; readonly password: string } | undefined;
}

/**
 * Makes the Secret of a sealed application, and network policies by which only its own pods reach the ports that driver and
 * executors use among each other. Other ports of the driver, such as that of its web UI, stay open.
 *
 * The Secret is created after the driver's pod, which waits for it. It never changes: a submission that is repeated with the
 * same id must not take the secret away from executors that run.
 *
 * @param secretName the name of the Secret
 */
export function sealStep(secretName: string, { secret, tls, ui }: SealMaterial): Step {
  return {
    name: "seal",
    keys: [SEAL, SEAL_UI],
    configureDriver(spec, submission) {
      const { namespace, appId, conf } = submission;
      const sealed: Secret = {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: secretName, namespace, labels: { [SPARK_APP_ID_LABEL]: appId } },
        type: "Opaque",
        immutable: true,
        data: {
          [SECRET_FILE]: secret,
          [SECRET_TEXT]: inBase64(secret),
          ...(ui && { [KEY_STORE_FILE]: ui.keyStore, [KEY_STORE_PASSWORD]: inBase64(ui.password) }),
          ...(tls && { [CERTIFICATE_FILE]: inBase64(tls.certificate), [KEY_FILE]: inBase64(tls.key) }),
        },
      };
      // From Spark 4.2 on, executors have the same policy from Spark's own step.
      const policies = conf.version.has("network-policy")
        ? [driverPolicy(submission)]
        : [driverPolicy(submission), executorPolicy(submission)];
      const withUi = ui === undefined ? spec : onDriver(spec, (pod) => withUiPort(pod, submission));
      return withResources(withUi, sealed, ...policies);
    },
  };
}

/** Names the port, so that those who see only the pod know that its web UI has TLS. */
function withUiPort({ pod, container }: SparkPod, { conf }: Submission): SparkPod {
  const containerPort = uiTlsPort(conf.entries, conf.get(UI_PORT)) ?? 0;
  if (containerPort === 0) return { pod, container };
  const port = { name: SPARK_UI_TLS_PORT_NAME, containerPort, protocol: "TCP" };
  return { pod, container: { ...container, ports: [...(container.ports ?? []), port] } };
}

function inBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function driverPolicy(submission: Submission): NetworkPolicy {
  const { conf } = submission;
  const others = portsExcept([conf.get(DRIVER_PORT), driverBlockManagerPort(conf)]);
  return applicationPolicy(submission, "driver-policy", SPARK_ROLE_DRIVER, [{ ports: others }]);
}

/** All other TCP ports, as ranges. */
function portsExcept(closed: readonly number[]): NonNullable<PolicyIngress[number]["ports"]> {
  const bounds = [0, ...[...new Set(closed)].filter((port) => port > 0).sort((a, b) => a - b), LAST_PORT + 1];
  return bounds.slice(1).flatMap((end, index) => {
    const first = (bounds[index] ?? 0) + 1;
    const last = end - 1;
    if (last < first) return [];
    return [{ protocol: "TCP", port: first, ...(last > first && { endPort: last }) }];
  });
}
