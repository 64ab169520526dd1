import type { Credentials, CredentialsContext, KeySource } from "../credentials/aws-keys.ts";
import { askForKeys } from "../credentials/ask-for-keys.ts";
import { askForToken, secretsUrl, tokenOf } from "../credentials/bearer-token.ts";
import { firstConfigured } from "../credentials/first-configured.ts";
import { readToken } from "../credentials/read-token.ts";
import { isObjectStoreError, ObjectStoreError } from "../object-store-error.ts";

/** How requests to Azure Storage show who sends them. */
export type AzureAuthorization =
  | { readonly kind: "token"; readonly token: string }
  /** The account's key, base64. */
  | { readonly kind: "key"; readonly key: string }
  /** A shared access signature: the query of a URL. */
  | { readonly kind: "signature"; readonly query: string };

export type AzureSource = KeySource<AzureAuthorization>;

const RESOURCE = "https://storage.azure.com/";
const PUBLIC_AUTHORITY = "https://login.microsoftonline.com/";
const METADATA = "http://169.254.169.254/metadata/identity/oauth2/token";
// The service is on the same machine, or there is none.
const TIME_LIMIT_MS = 3_000;
const ROLE_HINT = "the identity needs the role Storage Blob Data Contributor on the account or the container";

/**
 * Where Azure's own tools look for an identity: the variables of the Azure CLI for an account's key or a signature, a
 * client secret, a workload identity (Microsoft Entra Workload ID), and the managed identity of the machine. The order of the
 * last three is that of `DefaultAzureCredential`.
 */
export function azureSources(): readonly AzureSource[] {
  return [environmentKey, clientSecret, workloadIdentity, managedIdentity];
}

/** @param hint what to do if there are no credentials */
export function azureCredentials(
  sources: readonly AzureSource[],
  context: CredentialsContext,
  hint: string,
): Credentials<AzureAuthorization> {
  return firstConfigured(sources, context, { store: "Azure Storage", hint, secretsOf });
}

function secretsOf(authorization: AzureAuthorization): readonly string[] {
  if (authorization.kind === "token") return [authorization.token];
  if (authorization.kind === "key") return [authorization.key];
  const signature = new URLSearchParams(authorization.query).get("sig");
  return [authorization.query, ...(signature === null ? [] : [signature, encodeURIComponent(signature)])];
}

/**
 * An account's key or a shared access signature, whichever is given.
 *
 * @throws ObjectStoreError `settings` for a key that is not base64
 */
export function azureSecret(
  where: string,
  key: string | undefined,
  signature: string | undefined,
): AzureAuthorization | undefined {
  if (key) {
    if (/^[A-Za-z0-9+/]+={0,2}$/.test(key)) return { kind: "key", key };
    throw new ObjectStoreError("settings", `${where}: the account's key is not base64`);
  }
  return signature ? { kind: "signature", query: signature.replace(/^\?/, "") } : undefined;
}

const environmentKey: AzureSource = {
  name: "AZURE_STORAGE_KEY and AZURE_STORAGE_SAS_TOKEN",
  lend({ env }) {
    const keys = azureSecret("AZURE_STORAGE_KEY", env["AZURE_STORAGE_KEY"], env["AZURE_STORAGE_SAS_TOKEN"]);
    return Promise.resolve(keys && { keys, seconds: undefined });
  },
};

const clientSecret: AzureSource = {
  name: "AZURE_CLIENT_SECRET",
  async lend(context) {
    const { AZURE_CLIENT_SECRET: secret } = context.env;
    if (!secret) return undefined;
    context.hide?.(secret);
    return await entraToken(context, "AZURE_CLIENT_SECRET", { client_secret: secret });
  },
};

/** A token of the pod's service account in exchange for one of Microsoft Entra ("Workload identity federation"). */
const workloadIdentity: AzureSource = {
  name: "AZURE_FEDERATED_TOKEN_FILE",
  async lend(context) {
    const path = context.env["AZURE_FEDERATED_TOKEN_FILE"];
    if (!path) return undefined;
    const assertion = await readToken("AZURE_FEDERATED_TOKEN_FILE", path, context);
    return await entraToken(context, "AZURE_FEDERATED_TOKEN_FILE", {
      client_assertion: assertion,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    });
  },
};

async function entraToken(
  context: CredentialsContext,
  used: string,
  proof: Readonly<Record<string, string>>,
): ReturnType<AzureSource["lend"]> {
  const { AZURE_CLIENT_ID: client, AZURE_TENANT_ID: tenant, AZURE_AUTHORITY_HOST: host } = context.env;
  if (!client || !tenant) {
    throw new ObjectStoreError("settings", `${used} is set without AZURE_CLIENT_ID and AZURE_TENANT_ID`, {
      hint: "annotate the service account with azure.workload.identity/client-id, and label the pod",
    });
  }
  const authority = secretsUrl("AZURE_AUTHORITY_HOST", host || PUBLIC_AUTHORITY);
  const url = new URL(`${encodeURIComponent(tenant)}/oauth2/v2.0/token`, authority.href.replace(/\/*$/, "/"));
  const form = { grant_type: "client_credentials", client_id: client, scope: `${RESOURCE}.default`, ...proof };
  const { keys, seconds } = await askForToken(
    context,
    url,
    form,
    "check the federated credential: its issuer, subject (system:serviceaccount:NAMESPACE:NAME) and audience",
  );
  return { keys: { kind: "token", token: keys.token }, seconds };
}

/** The token of the machine's managed identity, from its metadata service. */
const managedIdentity: AzureSource = {
  name: "the machine's managed identity",
  async lend(context) {
    const url = new URL(METADATA);
    url.searchParams.set("api-version", "2018-02-01");
    url.searchParams.set("resource", RESOURCE);
    const client = context.env["AZURE_CLIENT_ID"];
    if (client) url.searchParams.set("client_id", client);
    try {
      const headers = { metadata: "true" };
      const answer = await askForKeys(context, {
        method: "GET",
        url,
        headers,
        nearby: true,
        timeLimitMs: TIME_LIMIT_MS,
      });
      const { keys, seconds } = tokenOf(context, answer, ROLE_HINT);
      return { keys: { kind: "token", token: keys.token }, seconds };
    } catch (error) {
      if (isObjectStoreError(error) && error.fault === "unreachable") return undefined;
      throw error;
    }
  },
};
