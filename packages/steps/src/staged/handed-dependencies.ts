import type { Step } from "@kindling/core-spec";
import { FOLDERS, type PlacedDependency } from "./dependency-set.ts";
import { BUNDLE_SECRET, STAGING_CA } from "./localizer-config.ts";
import { LOCALIZER_DIRECTORY } from "./localizer-keys.ts";
import { smallFilesOfExecutors } from "./small-files.ts";
import { LOCALIZED_KEYS, localizerOfExecutors, type MountedDependencies } from "./staged-dependencies.ts";
import { isListOf, isRecord } from "../plain-data.ts";

/**
 * What the executor half of a step that brings dependencies needs, if another process than the submission runs it. Plain data
 * without secrets.
 */
export interface HandedDependencies extends MountedDependencies {
  readonly by: "staged-dependencies" | "small-files";
}

/** The executor half of the step that the submission would have run. */
export function stepOfDependencies({ by, ...mounted }: HandedDependencies): Step {
  const { dependencies, secretName } = mounted;
  return by === "small-files"
    ? { name: by, keys: [LOCALIZER_DIRECTORY], configureExecutor: smallFilesOfExecutors(dependencies, secretName) }
    : { name: by, keys: LOCALIZED_KEYS, configureExecutor: localizerOfExecutors(mounted) };
}

/** The same without what only the submission needs to know, such as the paths on its disk. */
export function handedDependencies(by: HandedDependencies["by"], mounted: MountedDependencies): HandedDependencies {
  const { dependencies, secretName, secretEntries } = mounted;
  return {
    by,
    dependencies: dependencies.map(({ kind, name, workName }) => ({
      kind,
      name,
      ...(workName !== undefined && { workName }),
    })),
    secretName,
    secretEntries,
  };
}

/** Reads what {@link handedDependencies} made; undefined for anything else. */
export function readHandedDependencies(value: unknown): HandedDependencies | undefined {
  if (!isRecord(value)) return undefined;
  const { by, dependencies, secretName, secretEntries } = value;
  if (by !== "staged-dependencies" && by !== "small-files") return undefined;
  if (typeof secretName !== "string" || !isListOf(secretEntries, isSecretEntry)) return undefined;
  return isListOf(dependencies, isPlaced) ? { by, dependencies, secretName, secretEntries } : undefined;
}

function isPlaced(value: unknown): value is PlacedDependency {
  if (!isRecord(value)) return false;
  const { kind, name, workName } = value;
  const isNamed = typeof name === "string" && (workName === undefined || typeof workName === "string");
  return isNamed && typeof kind === "string" && Object.hasOwn(FOLDERS, kind);
}

function isSecretEntry(value: unknown): value is string {
  return value === BUNDLE_SECRET || value === STAGING_CA;
}
