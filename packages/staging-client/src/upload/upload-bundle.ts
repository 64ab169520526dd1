import { KindlingError } from "@kindling/core-spec";
import { isStagingError, StagingError } from "../errors.ts";
import { isCapabilityLimits } from "../protocol/answer-shapes.ts";
import { collidingNames, fileNameFault } from "../protocol/file-name.ts";
import { manifestDigest, type BundleFile, type FileKind } from "../protocol/manifest.ts";
import { ownerFault, type StagedResourcesOwner } from "../protocol/owner.ts";
import type { CommittedBundle } from "../protocol/v1.ts";
import type { StagingClient } from "../staging-client.ts";
import type { HashedFile } from "./local-file.ts";
import { sizeOf } from "./local-file.ts";
import { progressTracker, type ProgressTracker, type UploadProgress } from "./progress.ts";
import { uploadFiles } from "./upload-files.ts";

export interface FileToUpload {
  readonly path: string;
  /** Its name in the bundle. */
  readonly name: string;
  readonly kind: FileKind;
  /** Permission bits; default: those of the file. */
  readonly mode?: number;
}

export interface UploadBundleOptions {
  readonly files: readonly FileToUpload[];
  readonly owner: StagedResourcesOwner;
  /** How long the bundle may wait for its first use, in seconds; default: the server's setting. */
  readonly ttl?: number;
  /** How many files are sent at once; default 4. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: UploadProgress) => void;
}

export interface UploadedBundle extends CommittedBundle {
  /** As committed, with digests and sizes. */
  readonly files: readonly BundleFile[];
  readonly progress: UploadProgress;
}

/**
 * Uploads files as one bundle: hashes them, asks which of them the server lacks, sends those, commits. These steps
 * overlap; a file that the server has is never sent. Nothing is visible on the server before the commit.
 *
 * @throws KindlingError `ARGUMENT_INVALID` for names that clash or cannot be names, before anything is sent;
 * StagingError for everything else
 */
export async function uploadBundle(client: StagingClient, options: UploadBundleOptions): Promise<UploadedBundle> {
  checkArguments(options);
  const sizes = await Promise.all(options.files.map((file) => sizeOf(file.path)));
  const { clock } = client.connection;
  const total = { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  const tracker = progressTracker(clock, total, options.onProgress);
  const known = new Map<string, HashedFile>();
  for (let attempt = 1; ; attempt++) {
    try {
      return await uploadUnderLease(client, options, tracker, known);
    } catch (error) {
      // A laptop may sleep until its lease has expired. The client then asks again which files are missing, and does not
      // send the others again.
      if (attempt >= 3 || !isStagingError(error) || !isLeaseLost(error)) throw error;
      tracker.restart();
    }
  }
}

function checkArguments({ files, owner }: UploadBundleOptions): void {
  for (const { name, path } of files) {
    const fault = fileNameFault(name);
    if (fault !== undefined) {
      throw new KindlingError("ARGUMENT_INVALID", `${path} cannot be staged as ${JSON.stringify(name)}: ${fault}`);
    }
  }
  const clash = collidingNames(files.map((file) => file.name));
  if (clash !== undefined) {
    const [first, second] = clash.map((name) => files.filter((file) => file.name === name).map((file) => file.path));
    const paths = [...new Set([...(first ?? []), ...(second ?? [])])].join(" and ");
    throw new KindlingError("ARGUMENT_INVALID", `${paths} would have the same name in the pod: ${clash[1]}`, {
      hint: "rename one of them",
    });
  }
  const fault = ownerFault(owner);
  if (fault !== undefined) throw new KindlingError("ARGUMENT_INVALID", `the owner of the staged files: ${fault}`);
}

async function uploadUnderLease(
  client: StagingClient,
  options: UploadBundleOptions,
  tracker: ProgressTracker,
  known: Map<string, HashedFile>,
): Promise<UploadedBundle> {
  const { signal, owner, ttl } = options;
  const [capabilities, { leaseId }] = await Promise.all([
    client.capabilities({ signal }),
    client.openLease({ namespace: owner.ownerNamespace }, { signal }),
  ]);
  if (!isCapabilityLimits(capabilities.limits)) {
    throw new StagingError("protocol", `${client.connection.uri.origin}: the server's limits make no sense`);
  }
  const paths = [...new Set(options.files.map((file) => file.path))];
  const hashed = await uploadFiles(client, {
    paths,
    known,
    lease: leaseId,
    limits: capabilities.limits,
    concurrency: options.concurrency ?? 4,
    signal,
    tracker,
  });
  const files = options.files.map((file): BundleFile => {
    const { digest, size, mode } = pick(hashed, file.path);
    return { name: file.name, kind: file.kind, digest, size, mode: file.mode ?? mode };
  });
  const request = { lease: leaseId, owner, files, ...(ttl !== undefined && { ttl }) };
  const bundle = await client.commitBundle(request, { signal });
  if (bundle.manifestDigest !== manifestDigest(files)) {
    throw new StagingError("protocol", `${client.connection.uri.origin}: the server committed another manifest`);
  }
  tracker.finish();
  return { ...bundle, files, progress: tracker.current() };
}

function pick(hashed: ReadonlyMap<string, HashedFile>, path: string): HashedFile {
  const file = hashed.get(path);
  if (file === undefined) throw new StagingError("file", `${path} was not uploaded`);
  return file;
}

function isLeaseLost(error: StagingError): boolean {
  const type = error.problem?.type ?? "";
  return type.endsWith(":lease-expired") || type.endsWith(":blobs-missing");
}
