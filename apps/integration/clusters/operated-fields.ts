import type { Spec } from "./operated-applications.ts";
import { RESTRICTED_CONTAINER } from "./restricted.ts";

const AFFINITY = {
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 1, preference: { matchExpressions: [{ key: "kubernetes.io/os", operator: "In", values: ["linux"] }] } },
    ],
  },
};
const TOLERATION = { key: "dedicated", operator: "Equal", value: "spark", effect: "NoSchedule" };
const HOST_ALIAS = { ip: "10.1.2.3", hostnames: ["database.internal"] };
const DNS = { options: [{ name: "ndots", value: "2" }] };
const POD_SECURITY = { fsGroup: 185 };
const PORT = { name: "extra", containerPort: 9999, protocol: "TCP" };
const GRACE_SECONDS = 7;

/** What users set for a role's pods besides Spark's configuration: stock's operator needs a webhook for most of it. */
export function podFields(role: "driver" | "executor", image: string): Spec {
  const aside = (name: string, command: string): Spec => ({ name, image, command: ["sh", "-c", command] });
  return {
    labels: { team: "data" },
    annotations: { contact: "data@example.com" },
    env: [
      { name: "FROM_TEMPLATE", value: `${role}-env` },
      { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "credentials", key: "password" } } },
    ],
    envFrom: [{ configMapRef: { name: "settings" } }],
    configMaps: [{ name: "settings", path: "/etc/settings" }],
    secrets: [{ name: "credentials", path: "/etc/credentials", secretType: "Generic" }],
    affinity: AFFINITY,
    tolerations: [TOLERATION],
    hostAliases: [HOST_ALIAS],
    dnsConfig: DNS,
    podSecurityContext: POD_SECURITY,
    securityContext: RESTRICTED_CONTAINER,
    terminationGracePeriodSeconds: GRACE_SECONDS,
    ports: [PORT],
    // A driver with an ended sidecar is not ready, and Spark 4.0 asks for its address by a name that only ready pods have.
    sidecars: [aside("sidecar", role === "driver" ? "sleep 60" : "true")],
    initContainers: [aside("first", "true")],
    coreLimit: "1200m",
  };
}

/** What such a pod has, no matter which operator created it. Lists contain more than this. */
export const WISHED = {
  metadata: { labels: { team: "data" }, annotations: { contact: "data@example.com" } },
  spec: {
    affinity: AFFINITY,
    hostAliases: [HOST_ALIAS],
    dnsConfig: DNS,
    securityContext: POD_SECURITY,
    terminationGracePeriodSeconds: GRACE_SECONDS,
  },
  toleration: TOLERATION,
  container: {
    securityContext: RESTRICTED_CONTAINER,
    resources: { requests: { cpu: "100m" }, limits: { cpu: "1200m" } },
  },
  port: PORT,
  configMap: { name: "settings-vol", mountPath: "/etc/settings" },
  secret: { mountPath: "/etc/credentials" },
  envFrom: { configMapRef: { name: "settings" } },
} as const;
