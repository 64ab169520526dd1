import type { Outside } from "@kindling/outside";
import type { CredentialSource } from "../credentials/credential-source.ts";
import { derivedCredentials } from "../credentials/derived-credentials.ts";
import { bearer, staticCredentials } from "../credentials/static-credentials.ts";
import { tokenFile } from "../credentials/token-file.ts";
import { kubeError, type KubeError } from "../errors/kube-error.ts";
import type { BaseAccess } from "./base-access.ts";
import type { TlsSettings } from "./cluster-access.ts";
import type { AccessOverlays } from "./load-options.ts";
import type { FilesOutside } from "../files-outside.ts";

type Given = Pick<Outside, "clock"> & Pick<FilesOutside, "readFile">;

/**
 * Applies explicit options on top of the kubeconfig or the pod's service account. Credentials given here replace all others.
 */
export async function applyOverlays(base: BaseAccess, overlays: AccessOverlays, outside: Given): Promise<BaseAccess> {
  return {
    ...base,
    server: overlays.server ?? base.server,
    serverSource: overlays.server === undefined ? base.serverSource : "the given server",
    namespace: overlays.namespace ?? base.namespace,
    tls: await overlayTls(base, overlays, outside),
    credentials: (await overlayCredentials(overlays, outside)) ?? base.credentials,
  };
}

async function overlayTls(base: BaseAccess, overlays: AccessOverlays, outside: Given): Promise<TlsSettings> {
  const insecureSkipVerify = overlays.insecure ?? (overlays.caFile === undefined && base.tls.insecureSkipVerify);
  const ca = overlays.caFile === undefined ? base.tls.ca : await readGiven("CA file", overlays.caFile, outside);
  // The server name to check is valid only for the server for which it was given.
  const servername = isSameHost(overlays.server, base.server) ? base.tls.servername : undefined;
  return { ca: insecureSkipVerify ? undefined : ca, servername, insecureSkipVerify };
}

async function overlayCredentials(overlays: AccessOverlays, outside: Given): Promise<CredentialSource | undefined> {
  const { token, tokenFile: tokenPath, certFile, keyFile } = overlays;
  if (token !== undefined && tokenPath !== undefined) throw optionError("both a token and a token file are given");
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [given, lacking] = certFile === undefined ? ["key", "certificate"] : ["certificate", "key"];
    throw optionError(`a client ${given} file is given without the client ${lacking} file`);
  }
  const certificate =
    certFile === undefined || keyFile === undefined
      ? {}
      : {
          clientCertificate: {
            cert: await readGiven("client certificate file", certFile, outside),
            key: await readGiven("client key file", keyFile, outside),
          },
        };
  if (tokenPath !== undefined) {
    const source = tokenFile(tokenPath, outside.readFile, outside.clock, `the token file ${tokenPath}`);
    return derivedCredentials(source, (credentials) => ({ ...credentials, ...certificate }));
  }
  if (token !== undefined)
    return staticCredentials({ ...certificate, authorization: bearer(token.trim()) }, "the given token");
  return certFile === undefined ? undefined : staticCredentials(certificate, `the client certificate file ${certFile}`);
}

async function readGiven(what: string, path: string, outside: Given): Promise<string> {
  try {
    return await outside.readFile(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw kubeError({ kind: "config", file: path }, `the ${what} ${path} cannot be read (${code})`, { cause: error });
  }
}

function isSameHost(given: string | undefined, base: string | undefined): boolean {
  if (given === undefined || base === undefined) return given === undefined;
  return URL.canParse(given) && URL.canParse(base) && new URL(given).host === new URL(base).host;
}

function optionError(message: string): KubeError {
  return kubeError({ kind: "config", file: undefined }, message);
}
