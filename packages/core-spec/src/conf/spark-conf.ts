import { KindlingError } from "../errors.ts";
import { sizeHint } from "../units/size-hint.ts";
import { harmlessText, quotedName } from "../outside-text.ts";
import { defaultText, type ConfKey, type ConfPrefix } from "./conf-key.ts";
import { isMisfit } from "./conf-type.ts";
import { expandReferences, UnusableReference, type ReferenceSources } from "./expand-references.ts";
import { sparkVersionOf, type SparkVersion } from "../versions/spark-version.ts";

/** An application's configuration: raw texts, read through declared keys. Immutable. */
export interface SparkConf {
  /** The Spark version that reads it: it decides defaults and all other differences between versions. */
  readonly version: SparkVersion;
  /** Every entry as the user wrote it, unexpanded: this goes into the driver's `spark.properties`. */
  readonly entries: Readonly<Record<string, string>>;
  /** The expanded and parsed value of a key, or its default. Throws a `CONF_INVALID` that names the key. */
  get<T>(key: ConfKey<T>): T;
  /** Whether a key was given, under its own name or a deprecated one. */
  has(key: ConfKey<unknown>): boolean;
  /** The text of one key, unexpanded, without defaults. */
  raw(key: string): string | undefined;
  /** The values of all keys with a prefix, unexpanded, by the rest of the key. */
  withPrefix(prefix: ConfPrefix): Readonly<Record<string, string>>;
}

export interface SparkConfOptions {
  readonly sparkVersion: string;
  /** Environment variables, for `${env:NAME}`. */
  env?(name: string): string | undefined;
  /** The JVM system properties that have a meaning without a JVM (`user.home`, …), for `${system:NAME}`. */
  system?(name: string): string | undefined;
  /** The defaults of Spark's own keys, for references to them. */
  fallback?(key: string): string | undefined;
}

/** Makes a {@link SparkConf} of raw entries. */
export function sparkConf(entries: Readonly<Record<string, string>>, options: SparkConfOptions): SparkConf {
  const sources: ReferenceSources = {
    conf: (key) => own(entries, key),
    env: (name) => options.env?.(name),
    system: (name) => options.system?.(name),
    fallback: (key) => options.fallback?.(key),
  };

  const version = sparkVersionOf(options.sparkVersion);

  function given(key: ConfKey<unknown>): { name: string; text: string } | undefined {
    for (const name of [key.key, ...(key.alternatives ?? [])]) {
      const text = own(entries, name);
      if (text !== undefined) return { name, text };
    }
    return undefined;
  }

  function parse<T>(key: ConfKey<T>, name: string, text: string): T {
    const parsed = key.type.parse(key.literal === true ? text : expand(name, text, sources));
    if (!isMisfit(parsed)) return parsed;
    const shown = key.secret === true ? "its value" : quotedName(text);
    const hint = key.type.name.startsWith("bytes") ? sizeHint(text) : undefined;
    const newName = name === key.key ? "" : ` (an old name of ${key.key})`;
    const message = `${name}: ${shown} is not ${parsed.expected}${newName}`;
    throw new KindlingError("CONF_INVALID", message, hint === undefined ? {} : { hint });
  }

  return {
    version,
    entries,
    get<T>(key: ConfKey<T>): T {
      const found = given(key);
      if (found !== undefined) return parse(key, found.name, found.text);
      const fallback = defaultText(key, version);
      if (fallback !== undefined) return parse(key, key.key, fallback);
      // Only an optional key has no default, and for it `undefined` is part of T.
      return undefined as T;
    },
    has: (key) => given(key) !== undefined,
    raw: (key) => own(entries, key),
    withPrefix(prefix) {
      const found: Record<string, string> = {};
      for (const [key, text] of Object.entries(entries)) {
        if (key.startsWith(prefix.prefix)) found[key.slice(prefix.prefix.length)] = text;
      }
      return found;
    },
  };
}

function own(entries: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}

function expand(name: string, text: string, sources: ReferenceSources): string {
  try {
    return expandReferences(text, sources);
  } catch (error) {
    if (!(error instanceof UnusableReference)) throw error;
    const reference = harmlessText(error.reference, 256);
    throw new KindlingError("CONF_INVALID", `${name}: \${${reference}} ${error.message}`);
  }
}
