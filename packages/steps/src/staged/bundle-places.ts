import type { KubernetesResource, SparkConf } from "@kindling/core-spec";
import type { Dependency } from "./dependency-set.ts";
import {
  BUNDLE_SECRET,
  localizerConfig,
  STAGING_CA,
  withBundle,
  type LocalizerConfig,
  type StagedBundle,
} from "./localizer-config.ts";

/** Where the values of a bundle go in the objects of a submission: into one Secret. Plain data. */
export interface BundlePlaces {
  /** The Secret that the localizers of the submission read. */
  readonly secretName: string;
  /** The entries with the bundle's id and the digests of its files, before these are known. */
  readonly configs: Readonly<Record<string, LocalizerConfig>>;
}

/** The places that {@link stagedDependencies} has for a bundle. */
export function bundlePlaces(conf: SparkConf, dependencies: readonly Dependency[], secretName: string): BundlePlaces {
  return {
    secretName,
    configs: {
      "driver.json": localizerConfig(conf, dependencies, "driver"),
      "executor.json": localizerConfig(conf, dependencies, "executor"),
    },
  };
}

/** The content of the Secret, in base64, with the values of a bundle filled in. */
export function filledEntries({ configs }: BundlePlaces, bundle: StagedBundle | undefined): Record<string, string> {
  const entries: [string, string][] = Object.entries(configs).map(([name, config]) => [
    name,
    JSON.stringify(withBundle(config, bundle)),
  ]);
  if (bundle !== undefined) entries.push([BUNDLE_SECRET, bundle.secret]);
  if (bundle?.ca !== undefined) entries.push([STAGING_CA, bundle.ca]);
  return Object.fromEntries(entries.map(([name, text]) => [name, Buffer.from(text).toString("base64")]));
}

/** Objects with the values of a bundle filled in; only the Secret changes. */
export function fillPlaces(
  objects: readonly KubernetesResource[],
  places: BundlePlaces,
  bundle: StagedBundle,
): readonly KubernetesResource[] {
  return objects.map((object) =>
    object.kind === "Secret" && object.metadata.name === places.secretName
      ? { ...object, data: filledEntries(places, bundle) }
      : object,
  );
}
