import type { Clock } from "../clock.ts";
import { kubeError } from "../errors/kube-error.ts";
import { describeEntry, fieldsField, textField, type KubeconfigEntry } from "../kubeconfig/kubeconfig-entry.ts";
import type { CredentialSource } from "./credential-source.ts";
import { expiringCredentials } from "./expiring-credentials.ts";

/** The library keeps track of expiry itself, so ask it often. */
const ASK_AGAIN_MS = 10_000;

/** As much of `@kubernetes/client-node` as is used here. */
interface ClientNode {
  readonly KubeConfig: new () => {
    loadFromOptions(options: unknown): void;
    applyToHTTPSOptions(options: { headers: Record<string, string> }): Promise<void>;
  };
}

/**
 * The `auth-provider` kinds (oidc, gcp, azure) that Kubernetes itself gave up in favour of exec plug-ins. They are left
 * to `@kubernetes/client-node`, an optional peer dependency that only these users need.
 */
export function authProviderCredentials(user: KubeconfigEntry, clock: Clock): CredentialSource {
  const provider = fieldsField(user, "auth-provider") ?? {};
  const name = textField(user, "name", provider) ?? "(none)";
  const description = `${describeEntry(user)} (auth-provider ${name})`;
  let config: Promise<InstanceType<ClientNode["KubeConfig"]>> | undefined;

  async function authorization(): Promise<string> {
    config ??= configure(provider, description);
    const ready = await config;
    const options: { headers: Record<string, string> } = { headers: {} };
    try {
      await ready.applyToHTTPSOptions(options);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      throw kubeError({ kind: "credentials" }, `${description}: ${words}`, { cause: error });
    }
    const value = options.headers["Authorization"];
    if (value === undefined) throw kubeError({ kind: "credentials" }, `${description} gave no token`);
    return value;
  }

  return expiringCredentials(
    async () => ({ credentials: { authorization: await authorization() }, until: clock.now() + ASK_AGAIN_MS }),
    clock,
    description,
  );
}

async function configure(
  provider: Readonly<Record<string, unknown>>,
  description: string,
): Promise<InstanceType<ClientNode["KubeConfig"]>> {
  const { KubeConfig } = await loadClientNode(description);
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "cluster", server: "https://localhost" }],
    users: [{ name: "user", authProvider: provider }],
    contexts: [{ name: "context", cluster: "cluster", user: "user" }],
    currentContext: "context",
  });
  return config;
}

async function loadClientNode(description: string): Promise<ClientNode> {
  // Not a literal, so that bundlers leave these one and a half megabytes outside.
  const name: string = "@kubernetes/client-node";
  try {
    return (await import(name)) as ClientNode;
  } catch (error) {
    throw kubeError({ kind: "credentials" }, `${description} needs the package ${name}, which is not installed`, {
      hint: `npm install ${name}@1.4.0 beside this program, or change the user to an exec plug-in`,
      cause: error,
    });
  }
}
