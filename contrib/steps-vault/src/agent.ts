import type { ConfigMap, Container } from "@kindling/core-spec";
import { TOKEN_FILE, TOKEN_VOLUME, tokenVolume, type SparkPod } from "./vault-pod.ts";
import type { Wishes } from "./wishes.ts";

/** An application's settings if the pods have their own agent. */
export type AgentWishes = Wishes & { readonly agent: NonNullable<Wishes["agent"]> };

const CONFIG_VOLUME = "vault-config";
const SECRETS_VOLUME = "vault-secrets";
const TLS_VOLUME = "vault-tls";

const CONFIG_FOLDER = "/vault/config";
const SECRETS_FOLDER = "/vault/secrets";
const TLS_FOLDER = "/vault/tls";
const TOKEN_FOLDER = "/var/run/secrets/vault.hashicorp.com/serviceaccount";

const ONCE = "once.json";
const REFRESHING = "refreshing.json";

/** The agents' configuration: one for the driver and all executors, which find it by the application's id. */
export function agentConfig(wishes: AgentWishes, appId: string): ConfigMap {
  const { agent } = wishes;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: configName(appId) },
    immutable: true,
    data: {
      [ONCE]: configuration(wishes, true),
      ...(agent.refresh && { [REFRESHING]: configuration(wishes, false) }),
    },
  };
}

/** Puts Vault Agent before Spark, and also beside it if the files must be renewed. */
export function withAgent({ pod, container }: SparkPod, wishes: AgentWishes, appId: string): SparkPod {
  const { agent, caSecret } = wishes;
  const volumes = [
    tokenVolume(wishes),
    { name: CONFIG_VOLUME, configMap: { name: configName(appId) } },
    { name: SECRETS_VOLUME, emptyDir: { medium: "Memory" } },
    ...(caSecret === undefined ? [] : [{ name: TLS_VOLUME, secret: { secretName: caSecret } }]),
  ];
  const agents = [
    agentContainer(wishes, "vault-agent-init", ONCE),
    ...(agent.refresh ? [{ ...agentContainer(wishes, "vault-agent", REFRESHING), restartPolicy: "Always" }] : []),
  ];
  const secrets = { name: SECRETS_VOLUME, mountPath: SECRETS_FOLDER, readOnly: true };
  return {
    container: { ...container, volumeMounts: [...(container.volumeMounts ?? []), secrets] },
    pod: {
      ...pod,
      spec: {
        ...pod.spec,
        initContainers: [...(pod.spec?.initContainers ?? []), ...agents],
        volumes: [...(pod.spec?.volumes ?? []), ...volumes],
      },
    },
  };
}

function agentContainer({ agent, caSecret }: AgentWishes, name: string, config: string): Container {
  return {
    name,
    image: agent.image,
    command: ["vault", "agent", `-config=${CONFIG_FOLDER}/${config}`],
    // The same values as the injector's.
    resources: { requests: { cpu: "250m", memory: "64Mi" }, limits: { cpu: "500m", memory: "128Mi" } },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 100,
      runAsGroup: 1000,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [
      { name: CONFIG_VOLUME, mountPath: CONFIG_FOLDER, readOnly: true },
      { name: TOKEN_VOLUME, mountPath: TOKEN_FOLDER, readOnly: true },
      { name: SECRETS_VOLUME, mountPath: SECRETS_FOLDER },
      ...(caSecret === undefined ? [] : [{ name: TLS_VOLUME, mountPath: TLS_FOLDER, readOnly: true }]),
    ],
  };
}

/** In a format that Vault Agent reads: HCL, which includes JSON. It contains no secret. */
function configuration({ agent, role, namespace, files, caSecret }: AgentWishes, endsAfterwards: boolean): string {
  const config = {
    exit_after_auth: endsAfterwards,
    vault: { address: agent.address, ...(caSecret !== undefined && { ca_cert: `${TLS_FOLDER}/ca.crt` }) },
    auto_auth: {
      method: {
        type: "kubernetes",
        mount_path: agent.authPath,
        ...(namespace !== undefined && { namespace }),
        config: { role, token_path: `${TOKEN_FOLDER}/${TOKEN_FILE}` },
      },
    },
    template_config: { exit_on_retry_failure: true },
    template: files.map(({ name, path, template }) => ({
      destination: `${SECRETS_FOLDER}/${name}`,
      contents: template ?? lineByLine(path),
    })),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/** The injector's default template. */
function lineByLine(path: string): string {
  return `{{ with secret "${path}" }}{{ range $k, $v := .Data }}{{ $k }}: {{ $v }}\n{{ end }}{{ end }}`;
}

function configName(appId: string): string {
  return `${appId.toLowerCase().replaceAll(/[^a-z0-9-]/g, "-")}-vault-agent`;
}
