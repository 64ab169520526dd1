import type { BaseAccess } from "./base-access.ts";
import { staticCredentials } from "../credentials/static-credentials.ts";
import {
  dataField,
  describeEntry,
  entryError,
  flagField,
  textField,
  type KubeconfigEntry,
} from "./kubeconfig-entry.ts";
import type { TlsSettings } from "./cluster-access.ts";
import type { CredentialsOutside } from "./credentials-outside.ts";
import type { Kubeconfig } from "./parse-kubeconfig.ts";
import { selectContext } from "./select-context.ts";
import { userCredentials } from "./user-credentials.ts";

/** What a context of a kubeconfig says; undefined if no context is requested and none is current. */
export async function kubeconfigAccess(
  config: Kubeconfig,
  wantedContext: string | undefined,
  outside: CredentialsOutside,
): Promise<BaseAccess | undefined> {
  const context = selectContext(config, wantedContext);
  if (context === undefined) return undefined;
  const { cluster, user } = context;
  return {
    origin: "kubeconfig",
    server: textField(cluster, "server"),
    serverSource: describeEntry(cluster),
    namespace: context.namespace,
    contextName: context.name,
    tls: await tlsSettings(cluster, outside),
    proxyUrl: textField(cluster, "proxy-url"),
    credentials:
      user === undefined
        ? staticCredentials({}, `context "${context.name}", which names no user`)
        : await userCredentials(user, cluster, outside),
  };
}

async function tlsSettings(cluster: KubeconfigEntry, outside: CredentialsOutside): Promise<TlsSettings> {
  const ca = await dataField(cluster, "certificate-authority", outside.readFile);
  const insecureSkipVerify = flagField(cluster, "insecure-skip-tls-verify");
  if (insecureSkipVerify && ca !== undefined) {
    throw entryError(cluster, "it has both a certificate-authority and insecure-skip-tls-verify", "remove one of them");
  }
  return { ca, servername: textField(cluster, "tls-server-name"), insecureSkipVerify };
}
