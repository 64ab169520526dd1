import { join } from "node:path";
import { isHttpError } from "@kindling/http";
import { sleep } from "@kindling/outside";
import type { Credentials, CredentialsContext, LentKeys } from "../credentials/aws-keys.ts";
import { askForKeys, type KeyAnswer } from "../credentials/ask-for-keys.ts";
import { tokenOf, type BearerToken, type TokenSource } from "../credentials/bearer-token.ts";
import { firstConfigured } from "../credentials/first-configured.ts";
import { isObjectStoreError, ObjectStoreError } from "../object-store-error.ts";
import { tokenOfFile } from "./google-file.ts";

const METADATA_HOST = "metadata.google.internal";
// The service is on the same machine, or there is none.
const TIME_LIMIT_MS = 3_000;
// GKE's metadata server needs some seconds to know a new pod ("Workload Identity Federation for GKE", limitations).
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];

/**
 * Where Google's own tools look for credentials, in their order (Application Default Credentials): the file that
 * `GOOGLE_APPLICATION_CREDENTIALS` names, the file of `gcloud auth application-default login`, the metadata service of GKE
 * and of machines.
 */
export function googleSources(): readonly TokenSource[] {
  return [namedFile, ownFile, metadataToken];
}

/** The token of a credentials file, such as a service account's key or a workload identity federation. */
export function googleFile(setting: string, path: string): TokenSource {
  return { name: setting, lend: (context) => fileToken(setting, path, context) };
}

/** @param hint what to do if there are no credentials */
export function googleCredentials(
  sources: readonly TokenSource[],
  context: CredentialsContext,
  hint: string,
): Credentials<BearerToken> {
  return firstConfigured(sources, context, { store: "Google Cloud", hint, secretsOf: ({ token }) => [token] });
}

const namedFile: TokenSource = {
  name: "GOOGLE_APPLICATION_CREDENTIALS",
  async lend(context) {
    const path = context.env["GOOGLE_APPLICATION_CREDENTIALS"];
    return path ? await fileToken("GOOGLE_APPLICATION_CREDENTIALS", path, context) : undefined;
  },
};

const ownFile: TokenSource = {
  name: "the file of gcloud",
  async lend(context) {
    const { CLOUDSDK_CONFIG: folder, HOME: home } = context.env;
    const config = folder || (home ? join(home, ".config", "gcloud") : undefined);
    const path = config && join(config, "application_default_credentials.json");
    if (path === undefined || (await context.readFile(path)) === undefined) return undefined;
    return await fileToken(path, path, context);
  },
};

async function fileToken(setting: string, path: string, context: CredentialsContext): Promise<LentKeys<BearerToken>> {
  const text = await context.readFile(path);
  if (text === undefined) throw new ObjectStoreError("settings", `${setting}: ${path} does not exist`);
  return await tokenOfFile(path, text, context);
}

/** The token of the pod's workload identity, or of the machine's service account. */
const metadataToken: TokenSource = {
  name: "the metadata service",
  async lend(context) {
    const host = context.env["GCE_METADATA_HOST"] || METADATA_HOST;
    const path = "computeMetadata/v1/instance/service-accounts/default/token";
    const answer = await askWhenReady(new URL(`http://${host}/${path}`), context);
    if (answer === undefined) return undefined;
    return tokenOf(
      context,
      answer,
      "bind the pod's service account (Workload Identity Federation for GKE), or give the machine a service account",
    );
  },
};

async function askWhenReady(url: URL, context: CredentialsContext): Promise<KeyAnswer | undefined> {
  for (const pause of [...PAUSES_MS, undefined]) {
    try {
      const answer = await askForKeys(context, {
        method: "GET",
        url,
        // Any page can make a browser or a server fetch a URL, but not with this field.
        headers: { "metadata-flavor": "Google" },
        nearby: true,
        timeLimitMs: TIME_LIMIT_MS,
      });
      if (pause === undefined || !(answer.status >= 500 || answer.status === 429)) return answer;
    } catch (error) {
      if (!isObjectStoreError(error)) throw error;
      // Without this name, this is no machine of Google's.
      if (pause === undefined || isUnknownName(error)) return undefined;
    }
    await sleep(context.clock, pause);
  }
  return undefined;
}

function isUnknownName({ cause }: ObjectStoreError): boolean {
  return isHttpError(cause) && cause.kind === "unreachable" && cause.code === "ENOTFOUND";
}
