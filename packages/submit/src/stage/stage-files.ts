import { POD_OWNER, uploadBundle, type UploadProgress } from "@kindling/staging-client";
import type { Dependency } from "@kindling/steps";
import type { StagingAccess } from "../gather/staging/staging-access.ts";
import type { BundleValues } from "../plan/dependency-step.ts";
import { openStaging, type StagingCredentials } from "./open-staging.ts";

/** Files that a staging server holds for one submission, until they are bound to its driver pod or given up. */
export interface StagedFiles {
  readonly bundle: BundleValues;
  /** Tells the server which pod the files belong to. */
  bind(podUid: string): Promise<void>;
  /** Gives the files up. */
  discard(): Promise<void>;
  close(): void;
}

export interface StageOptions {
  readonly namespace: string;
  /** Labels of the driver pod: the files are kept while a pod with all of these labels runs. */
  readonly labels: Readonly<Record<string, string>>;
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Called, once for each reason, when something has to be tried again. */
  readonly onRetry?: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Uploads the dependencies that are on this machine. Files that the server has already are not sent.
 *
 * @throws KindlingError (also StagingError), in words for the user
 */
export async function stageFiles(
  access: StagingAccess,
  credentials: StagingCredentials,
  dependencies: readonly Dependency[],
  { namespace, labels, onProgress, onRetry, signal }: StageOptions,
): Promise<StagedFiles> {
  const { client } = await openStaging(access, credentials, onRetry);
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
        id: bundleId,
        secret,
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
