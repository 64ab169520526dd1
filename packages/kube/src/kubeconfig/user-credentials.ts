import type { CredentialSource, Credentials } from "../credentials/credential-source.ts";
import { derivedCredentials } from "../credentials/derived-credentials.ts";
import { impersonating } from "../credentials/impersonation.ts";
import { basic, bearer, staticCredentials } from "../credentials/static-credentials.ts";
import { tokenFile } from "../credentials/token-file.ts";
import type { CredentialsOutside } from "./credentials-outside.ts";
import {
  dataField,
  describeEntry,
  entryError,
  fieldsField,
  pathField,
  textField,
  textListField,
  type KubeconfigEntry,
} from "./kubeconfig-entry.ts";

/**
 * The credentials of a kubeconfig's user. If an entry has several kinds, the order is client-go's: token file, token,
 * password, then the plug-ins. A client certificate is used together with any of them.
 */
export async function userCredentials(
  user: KubeconfigEntry,
  cluster: KubeconfigEntry,
  outside: CredentialsOutside,
): Promise<CredentialSource> {
  const source = await ownCredentials(user, cluster, outside);
  const as = textField(user, "as");
  if (as === undefined) return source;
  return impersonating(source, {
    user: as,
    uid: textField(user, "as-uid"),
    groups: textListField(user, "as-groups"),
    extra: extraOf(user),
  });
}

async function ownCredentials(
  user: KubeconfigEntry,
  cluster: KubeconfigEntry,
  outside: CredentialsOutside,
): Promise<CredentialSource> {
  const description = describeEntry(user);
  const certificate = await clientCertificate(user, outside.readFile);
  const path = pathField(user, "tokenFile");
  if (path !== undefined)
    return withCertificate(tokenFile(path, outside.readFile, outside.clock, description), certificate);
  const authorization = fixedAuthorization(user);
  if (authorization !== undefined) return staticCredentials({ ...certificate, authorization }, description);
  if (fieldsField(user, "exec") !== undefined) {
    const { execCredentials } = await import("./exec-credentials.ts");
    return withCertificate(await execCredentials(user, cluster, outside), certificate);
  }
  if (fieldsField(user, "auth-provider") !== undefined) {
    const { authProviderCredentials } = await import("./auth-provider.ts");
    const { clock, notices, times } = outside;
    const limits = { clock, notices, timeoutMs: times.timeoutMs };
    return withCertificate(authProviderCredentials(user, limits), certificate);
  }
  return staticCredentials(certificate, description);
}

async function clientCertificate(
  user: KubeconfigEntry,
  readFile: (path: string) => Promise<string>,
): Promise<Credentials> {
  const cert = await dataField(user, "client-certificate", readFile);
  const key = await dataField(user, "client-key", readFile);
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined) throw entryError(user, "it has a client-key but no client-certificate");
  if (key === undefined) throw entryError(user, "it has a client-certificate but no client-key");
  return { clientCertificate: { cert, key } };
}

function fixedAuthorization(user: KubeconfigEntry): string | undefined {
  const token = textField(user, "token");
  if (token !== undefined) return bearer(token);
  const username = textField(user, "username");
  return username === undefined ? undefined : basic(username, textField(user, "password") ?? "");
}

/** Adds a fixed client certificate to credentials that have none. */
function withCertificate(source: CredentialSource, certificate: Credentials): CredentialSource {
  if (certificate.clientCertificate === undefined) return source;
  return derivedCredentials(source, (credentials) => ({ ...certificate, ...credentials }));
}

function extraOf(user: KubeconfigEntry): Record<string, readonly string[]> | undefined {
  const extra = fieldsField(user, "as-user-extra");
  if (extra === undefined) return undefined;
  return Object.fromEntries(Object.keys(extra).map((key) => [key, textListField(user, key, extra) ?? []]));
}
