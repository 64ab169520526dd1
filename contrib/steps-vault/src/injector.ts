import { TOKEN_VOLUME, tokenVolume, type SparkPod } from "./vault-pod.ts";
import type { Wishes } from "./wishes.ts";

const INJECTOR = "vault.hashicorp.com";

/**
 * Asks the cluster's agent injector (hashicorp/vault-k8s, agent-inject/agent/annotations.go) for an init container that
 * writes the files. There is no sidecar: it would go on running, and the pod would never end.
 */
export function forInjector({ pod, container }: SparkPod, wishes: Wishes): SparkPod {
  const { role, files, address, authPath, namespace, caSecret } = wishes;
  const asked: Record<string, string | undefined> = {
    "agent-inject": "true",
    "agent-pre-populate-only": "true",
    // Otherwise the injector uses the first mount with this name, which may contain a token for another service.
    "agent-service-account-token-volume-name": TOKEN_VOLUME,
    role,
    service: address,
    "auth-path": authPath,
    namespace,
    "tls-secret": caSecret,
    "ca-cert": caSecret === undefined ? undefined : "/vault/tls/ca.crt",
    ...Object.fromEntries(files.map(({ name, path }) => [`agent-inject-secret-${name}`, path])),
    ...Object.fromEntries(files.map(({ name, template }) => [`agent-inject-template-${name}`, template])),
  };
  const annotations = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [[`${INJECTOR}/${name}`, value]],
  );
  return {
    container,
    pod: {
      ...pod,
      metadata: {
        ...pod.metadata,
        annotations: { ...pod.metadata?.annotations, ...(Object.fromEntries(annotations) as Record<string, string>) },
      },
      // The injector mounts it into its own container; Spark never sees it.
      spec: { ...pod.spec, volumes: [...(pod.spec?.volumes ?? []), tokenVolume(wishes)] },
    },
  };
}
