import type { ConfType } from "./conf-type.ts";
import type { SparkVersion, Versioned } from "../versions/spark-version.ts";

/**
 * Which program reads a key: the submission client, the running driver, the builder of executor pods (inside the driver, or
 * the scheduler), or `kill` and `status`.
 */
export type Reader = "submit" | "driver" | "executor" | "kill";

/** A default that changed between Spark versions: the first row that holds for the version applies. */
export interface VersionedDefault extends Versioned {
  readonly text: string;
}

/** The Spark versions that read a key, for the configuration reference: `4.1.0`. Nothing else uses them. */
interface Lifetime {
  /** The first version that reads it. */
  readonly since?: string;
  /** The first version that does not read it any more. */
  readonly until?: string;
}

export interface KeyDeclaration<T> extends Lifetime {
  readonly key: string;
  readonly type: ConfType<T>;
  /** One or two sentences for the configuration reference. */
  readonly doc: string;
  readonly readBy: readonly Reader[];
  /** Deprecated names, looked up in this order if the key itself is not set. */
  readonly alternatives?: readonly string[];
  /** The value is a secret: it never appears in output. */
  readonly secret?: boolean;
  /** Spark reads the text unchanged, without resolving references in it (`SparkConf.getInt` and similar methods). */
  readonly literal?: boolean;
}

/** A declared configuration key: its name, how its value is read, and everything that its documentation needs. */
export interface ConfKey<T> extends KeyDeclaration<T> {
  readonly defaults: readonly VersionedDefault[];
  /** Whether an unset key without a default reads as `undefined`, which is then part of `T`. */
  readonly optional: boolean;
}

/** Declares a key that always has a value. A default that differs between versions is a list, newest row first. */
export function confKey<T>(
  declaration: KeyDeclaration<T> & { readonly default: string | readonly VersionedDefault[] },
): ConfKey<T> {
  const { default: fallback, ...rest } = declaration;
  return { ...rest, defaults: typeof fallback === "string" ? [{ text: fallback }] : fallback, optional: false };
}

/** Declares a key that may be unset. */
export function optionalConfKey<T>(declaration: KeyDeclaration<T>): ConfKey<T | undefined> {
  return { ...declaration, defaults: [], optional: true };
}

/** A family of keys that share a prefix, such as `spark.kubernetes.driver.label.<name>`. */
export interface ConfPrefix extends Lifetime {
  readonly prefix: string;
  /** What follows the prefix, for the reference: `<label>`. */
  readonly placeholder: string;
  readonly doc: string;
  readonly readBy: readonly Reader[];
}

/** Declares a family of keys. */
export function confPrefix(declaration: ConfPrefix): ConfPrefix {
  return declaration;
}

/** The text of a key's default in a Spark version; `undefined` if it has none. */
export function defaultText(key: ConfKey<unknown>, version: SparkVersion): string | undefined {
  return key.defaults.find((row) => version.holds(row))?.text;
}

/** Whether a declared thing is a family of keys rather than one key. */
export function isConfPrefix(declared: ConfKey<unknown> | ConfPrefix): declared is ConfPrefix {
  return "prefix" in declared;
}
