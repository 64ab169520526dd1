import { KindlingError, messageOf, type Redactor, type SparkConf } from "@kindling/core-spec";
import {
  connectStaging,
  POD_OWNER,
  uploadBundle,
  type AuthenticationMode,
  type StagingClient,
  type UploadProgress,
} from "@kindling/staging-client";
import type { Dependency, StagedBundle } from "@kindling/steps";
import { readSmallFile } from "../files/read-small-file.ts";
import {
  STAGING_CA_FILE,
  STAGING_CLIENT_CERT_FILE,
  STAGING_CLIENT_KEY_FILE,
  STAGING_INTERNAL_URI,
  STAGING_TOKEN_FILE,
  STAGING_URI,
} from "./staging-keys.ts";

/** Where the credentials for the staging server may come from, besides the configuration. */
export interface StagingCredentials {
  readonly env: (name: string) => string | undefined;
  /** A token that the cluster knows the caller by; asked for only where the server asks the cluster. */
  readonly clusterToken: () => Promise<string | undefined>;
  /** Learns the token that is used, since a server may repeat what it was sent. */
  readonly secrets: Redactor;
}

/** Files that a staging server holds for one submission, until its driver pod is bound to them or they are given up. */
export interface StagedFiles {
  readonly bundle: StagedBundle;
  /** Tells the server which pod the files belong to. */
  bind(podUid: string): Promise<void>;
  /** Gives the files up. */
  discard(): Promise<void>;
  close(): void;
}

export interface StageOptions {
  readonly namespace: string;
  /** Labels of the driver pod: the files are kept while a pod with all of them runs. */
  readonly labels: Readonly<Record<string, string>>;
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Told, once for each reason, why something has to be tried again. */
  readonly onRetry?: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Uploads those dependencies that are on this machine; what the server has already is not sent.
 *
 * @throws KindlingError, StagingError among them, in words for the user
 */
export async function stageFiles(
  conf: SparkConf,
  credentials: StagingCredentials,
  dependencies: readonly Dependency[],
  { namespace, labels, onProgress, onRetry, signal }: StageOptions,
): Promise<StagedFiles> {
  const { client, ca } = await openStaging(conf, credentials, onRetry);
  try {
    const uploaded = await uploadBundle(client, {
      files: dependencies.flatMap(({ from, name, kind }) => ("path" in from ? [{ path: from.path, name, kind }] : [])),
      owner: { ownerNamespace: namespace, ownerLabels: labels, ownerType: POD_OWNER },
      ...(onProgress && { onProgress }),
      ...(signal && { signal }),
    });
    const { bundleId, secret } = uploaded;
    return {
      bundle: {
        server: internalUri(conf),
        id: bundleId,
        secret,
        ca,
        files: Object.fromEntries(uploaded.files.map(({ name, digest, size, mode }) => [name, { digest, size, mode }])),
      },
      bind: (uid) => client.bindOwner(bundleId, uid, { secret }),
      discard: () => client.deleteBundle(bundleId, { secret }),
      close: () => client.close(),
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** What stands for a bundle where nothing is uploaded, as in a dry run. */
export function placeholderBundle(conf: SparkConf): StagedBundle {
  return { server: internalUri(conf), id: "<bundle id>", secret: "<bundle secret>", ca: caOf(conf), files: {} };
}

// A server that is not there is no news to wait for; one that goes away later is waited for much longer.
const FIRST_CONTACT = { attempts: 3, baseMs: 300 };

/**
 * A client of the staging server that the configuration names, after a first exchange with it.
 *
 * @throws KindlingError `CONF_MISSING` if it names none, `FILE_UNREADABLE` for a certificate or token that is not there,
 * StagingError if the server does not answer
 */
export async function openStaging(
  conf: SparkConf,
  credentials: StagingCredentials,
  onRetry: (message: string) => void = () => {},
): Promise<{ readonly client: StagingClient; readonly ca: string | undefined }> {
  const uri = conf.get(STAGING_URI);
  if (uri === undefined) {
    throw new KindlingError("CONF_MISSING", `no staging server is known`, { hint: `set ${STAGING_URI.key}` });
  }
  const ca = caOf(conf);
  const cert = readIfSet(conf, STAGING_CLIENT_CERT_FILE);
  const key = readIfSet(conf, STAGING_CLIENT_KEY_FILE);
  const tls = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
  const token = readIfSet(conf, STAGING_TOKEN_FILE)?.trim() ?? credentials.env("KINDLING_STAGING_TOKEN");
  const mode = await authenticationMode(connectStaging({ uri, tls, retry: FIRST_CONTACT }));
  const told = new Set<string>();
  const client = connectStaging({
    uri,
    tls,
    onRetry({ message }) {
      if (!told.has(message)) onRetry(message);
      told.add(message);
    },
    authorization: async () => {
      const given = token ?? (mode === "kubernetes" ? await credentials.clusterToken() : undefined);
      if (given === undefined) return undefined;
      credentials.secrets.hide(given);
      return `Bearer ${given}`;
    },
  });
  return { client, ca };
}

async function authenticationMode(client: StagingClient): Promise<AuthenticationMode> {
  try {
    return (await client.capabilities()).authentication;
  } finally {
    client.close();
  }
}

function internalUri(conf: SparkConf): string {
  return conf.get(STAGING_INTERNAL_URI) ?? conf.get(STAGING_URI) ?? "";
}

function caOf(conf: SparkConf): string | undefined {
  return readIfSet(conf, STAGING_CA_FILE);
}

function readIfSet(conf: SparkConf, key: typeof STAGING_CA_FILE): string | undefined {
  const path = conf.get(key);
  if (path === undefined) return undefined;
  try {
    return readSmallFile(path).toString("utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `${key.key}: ${messageOf(error)}`, { cause: error });
  }
}
