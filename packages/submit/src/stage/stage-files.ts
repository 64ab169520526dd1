import type { SparkConf } from "@kindling/core-spec";
import { POD_OWNER, uploadBundle, type UploadProgress } from "@kindling/staging-client";
import type { Dependency, StagedBundle } from "@kindling/steps";
import { caOf, openStaging, type StagingCredentials } from "./open-staging.ts";
import { STAGING_INTERNAL_URI, STAGING_URI } from "../keys/staging-keys.ts";

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

function internalUri(conf: SparkConf): string {
  return conf.get(STAGING_INTERNAL_URI) ?? conf.get(STAGING_URI) ?? "";
}
