import { rmSync } from "node:fs";
import { downloadFile, type DownloadedFile, type RetryPolicy } from "@kindling/staging-client";
import type { ResolvedConfig, ResolvedFile } from "./config/localizer-config.ts";
import type { Fetchable, Sources } from "./fetch/open-sources.ts";
import type { FileOutcome, LocalizeOptions } from "./localize-options.ts";
import { isInterruption } from "./report/localizer-error.ts";
import type { Turns } from "./turns.ts";
import { closedPlaces } from "./unpack/closed-places.ts";
import { clearWorkplaces, isUnpacked, unpackArchive, type UnpackOptions } from "./unpack/unpack-archive.ts";
import { unpackBundle } from "./unpack/unpack-bundle.ts";
import { openDirectory } from "./folders/open-directory.ts";
import { removeTree } from "./folders/remove-tree.ts";

export interface FileRun {
  readonly config: ResolvedConfig;
  readonly sources: Sources;
  readonly outside: LocalizeOptions;
  readonly bootId: string;
  /** The turns for unpacking archives. */
  readonly unpacking: Turns;
  readonly signal: AbortSignal;
}

type Placed = Omit<FileOutcome, "seconds">;

/** Removes half-unpacked files of an earlier run that was killed. @throws LocalizerError */
export async function clearLeftOvers(file: ResolvedFile, { config, signal }: FileRun): Promise<void> {
  const { to, from, unpack } = file;
  if (from.kind === "whole-bundle") {
    const directory = openDirectory(rootOf(to, config), to);
    try {
      await removeTree(bundleWorkplace(directory.path, from.bundle), signal);
    } finally {
      directory.close();
    }
  } else if (unpack) {
    const slash = to.lastIndexOf("/");
    const directory = openDirectory(rootOf(to, config), to.slice(0, slash));
    try {
      await clearWorkplaces({ path: directory.path, name: to.slice(slash + 1), shown: to }, signal);
    } finally {
      directory.close();
    }
  }
}

/** Puts one file in its place. @throws LocalizerError, StagingError */
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
  const { bootId } = run;
  const archive = `${target.path}/.${target.name}.archive`;
  if (fetchable.digest !== undefined && isUnpacked(target, fetchable.digest, bootId)) {
    rmSync(archive, { force: true });
    return { outcome: "present", bytes: 0 };
  }
  const { digest, size } = await download(file, archive, { ...fetchable, mode: 0o600 }, run);
  const unpacked = await unpackFrom(archive, run, () =>
    unpackArchive(archive, target, { ...unpackOptions(run), closed: closedPlaces(run.config), digest, bootId }),
  );
  return { outcome: "fetched", bytes: size, unpacked };
}

async function placeBundle(file: ResolvedFile, bundle: string, fetchable: Fetchable, run: FileRun): Promise<Placed> {
  const directory = openDirectory(rootOf(file.to, run.config), file.to);
  try {
    const archive = `${directory.path}/.${bundle}.archive`;
    const { size } = await download(file, archive, { ...fetchable, mode: 0o600 }, run);
    const place = { path: directory.path, shown: file.to };
    const workplace = bundleWorkplace(directory.path, bundle);
    const unpacked = await unpackFrom(archive, run, () => unpackBundle(archive, place, workplace, unpackOptions(run)));
    return { outcome: "fetched", bytes: size, unpacked };
  } finally {
    directory.close();
  }
}

function unpackOptions({ config, outside, signal }: FileRun): UnpackOptions {
  return { limits: config.limits, signal, redact: (text) => outside.redactor.clean(text) };
}

function bundleWorkplace(directory: string, bundle: string): string {
  return `${directory}/.${bundle}.unpacking`;
}

/** Unpacks an archive and then deletes it: its room is needed, and an archive that failed would fail again. */
async function unpackFrom(
  archive: string,
  { unpacking, signal }: FileRun,
  unpack: () => Promise<number>,
): Promise<number> {
  try {
    const count = await unpacking.take(unpack);
    rmSync(archive, { force: true });
    return count;
  } catch (error) {
    // The next run continues after an interruption.
    if (!isInterruption(signal.reason)) await removeTree(archive).catch(() => undefined);
    throw error;
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
    retry: retryPolicy(outside.retry),
    onBytes: (bytes) => reporter.received(file, bytes),
    onRetry: (error, waitMs) => reporter.retrying(file, error.message, waitMs),
    clock,
    random: () => random.fraction(),
  });
}

/** Waits for an overloaded server until the deadline of the whole run, which is the only one. */
function retryPolicy(given: Partial<RetryPolicy> | undefined): Partial<RetryPolicy> {
  return { overloadedMs: Number.MAX_SAFE_INTEGER, ...given };
}

function rootOf(path: string, { roots }: ResolvedConfig): string {
  // The configuration has been checked, so there is a root.
  return roots.find((root) => path === root || path.startsWith(root === "/" ? root : `${root}/`)) ?? "/";
}
