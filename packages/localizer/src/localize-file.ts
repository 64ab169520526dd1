import { rmSync } from "node:fs";
import { downloadFile, type DownloadedFile, type RetryPolicy } from "@kindling/staging-client";
import type { ResolvedConfig, ResolvedFile } from "./config/localizer-config.ts";
import type { Fetchable, Sources } from "./fetch/open-sources.ts";
import type { FileOutcome, Outside } from "./outside.ts";
import { isUnpacked, unpackArchive } from "./unpack/unpack-archive.ts";
import { unpackBundle } from "./unpack/unpack-bundle.ts";
import { openDirectory } from "./write/open-directory.ts";

export interface FileRun {
  readonly config: ResolvedConfig;
  readonly sources: Sources;
  readonly outside: Outside;
  readonly bootId: string;
  readonly signal: AbortSignal;
}

type Placed = Omit<FileOutcome, "seconds">;

/** Brings one file to its place. @throws LocalizerError, StagingError */
export async function localizeFile(file: ResolvedFile, run: FileRun): Promise<Placed> {
  const fetchable = await run.sources.of(file, run.signal);
  if (file.from.kind === "whole-bundle") return await placeBundle(file, file.from.bundle, fetchable, run);
  const slash = file.to.lastIndexOf("/");
  const directory = openDirectory(rootOf(file.to, run.config), file.to.slice(0, slash));
  try {
    const target = { path: directory.path, name: file.to.slice(slash + 1), shown: file.to };
    if (file.unpack) return await placeArchive(file, target, fetchable, run);
    const { outcome, size } = await download(file, `${target.path}/${target.name}`, fetchable, run);
    return { outcome, bytes: outcome === "fetched" ? size : 0 };
  } finally {
    directory.close();
  }
}

async function placeArchive(
  file: ResolvedFile,
  target: { readonly path: string; readonly name: string; readonly shown: string },
  fetchable: Fetchable,
  run: FileRun,
): Promise<Placed> {
  const { bootId, signal, config } = run;
  const archive = `${target.path}/.${target.name}.archive`;
  if (fetchable.digest !== undefined && isUnpacked(target, fetchable.digest, bootId)) {
    rmSync(archive, { force: true });
    return { outcome: "present", bytes: 0 };
  }
  const { digest, size } = await download(file, archive, { ...fetchable, mode: 0o600 }, run);
  const unpacked = await unpackArchive(archive, target, { digest, bootId, signal, limits: config.limits });
  rmSync(archive, { force: true });
  return { outcome: "fetched", bytes: size, unpacked };
}

async function placeBundle(file: ResolvedFile, bundle: string, fetchable: Fetchable, run: FileRun): Promise<Placed> {
  const { signal, config } = run;
  const directory = openDirectory(rootOf(file.to, config), file.to);
  try {
    const archive = `${directory.path}/.${bundle}.archive`;
    const { size } = await download(file, archive, { ...fetchable, mode: 0o600 }, run);
    const place = { path: directory.path, shown: file.to };
    const unpacked = await unpackBundle(archive, place, `${directory.path}/.${bundle}.unpacking`, {
      signal,
      limits: config.limits,
    });
    rmSync(archive, { force: true });
    return { outcome: "fetched", bytes: size, unpacked };
  } finally {
    directory.close();
  }
}

async function download(
  file: ResolvedFile,
  target: string,
  { source, digest, size, mode }: Fetchable,
  { config, outside, signal }: FileRun,
): Promise<DownloadedFile> {
  const { clock, random, reporter } = outside;
  return await downloadFile({
    source,
    target,
    digest,
    size,
    mode,
    mostBytes: config.limits.maxFileBytes,
    signal,
    stallTimeoutMs: config.stallSeconds * 1000,
    retry: retryPolicy(outside.retry),
    onBytes: (bytes) => reporter.received(file, bytes),
    onRetry: (error, waitMs) => reporter.retrying(file, error.message, waitMs),
    clock,
    random,
  });
}

/** An overloaded server is waited for until the deadline: that of the whole run is the only one. */
function retryPolicy(given: Partial<RetryPolicy> | undefined): Partial<RetryPolicy> {
  return { overloadedMs: Number.MAX_SAFE_INTEGER, ...given };
}

function rootOf(path: string, { roots }: ResolvedConfig): string {
  // The configuration has been checked: there is one.
  return roots.find((root) => path === root || path.startsWith(root === "/" ? root : `${root}/`)) ?? "/";
}
