import { jvmDefinitions, sparkDefinitions, withSparkEnv } from "./spark-env.ts";
import { environmentEntries } from "./environment-entries.ts";
import { propertiesFiles, type ConfigurationSource } from "./properties-files.ts";
import type { ConfigurationRequest } from "@kindling/core-spec";
import type { ConfigurationOutside } from "./configure.ts";

/** One entry that a submission would have, and where it comes from. */
export interface EffectiveEntry {
  readonly key: string;
  readonly value: string;
  readonly origin: string;
  /** Other places that set the key without effect; the strongest first. */
  readonly hidden: readonly { readonly origin: string; readonly value: string }[];
}

/**
 * The configuration that a submission from this machine would begin with, by key: from the request, files, environment and
 * system properties, each with its origin.
 *
 * @throws KindlingError for files that cannot be read
 */
export function effectiveEntries(request: ConfigurationRequest, outside: ConfigurationOutside): EffectiveEntry[] {
  const env = withSparkEnv(outside.env, () => {});
  const sources: readonly ConfigurationSource[] = [
    { origin: "--conf", entries: request.conf ?? {} },
    ...propertiesFiles(request, env, outside),
    { origin: "the environment", entries: environmentEntries(env) },
    { origin: "java-opts or SPARK_SUBMIT_OPTS", entries: sparkDefinitions(jvmDefinitions(env, outside.clock)) },
  ];
  const keys = new Set(
    sources.flatMap(({ entries }) => Object.keys(entries)).filter((key) => key.startsWith("spark.")),
  );
  return [...keys].toSorted().flatMap((key) => entryOf(key, sources));
}

function entryOf(key: string, sources: readonly ConfigurationSource[]): EffectiveEntry[] {
  const given = sources.flatMap(({ origin, entries }) => {
    const value = Object.hasOwn(entries, key) ? entries[key] : undefined;
    return value === undefined ? [] : [{ origin, value }];
  });
  const [first, ...hidden] = given;
  return first === undefined ? [] : [{ key, ...first, hidden }];
}
