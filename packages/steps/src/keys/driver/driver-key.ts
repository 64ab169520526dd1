import { confKey, type ConfKey, type KeyDeclaration, type VersionedDefault } from "@kindling/core-spec";

/**
 * A key that only a running driver reads. Nothing here interprets it: it is passed on, and is declared so that the
 * reference of keys is whole. Defaults are those of the known releases of Spark.
 */
export function driverKey<T>(
  key: string,
  type: KeyDeclaration<T>["type"],
  fallback: string | readonly VersionedDefault[],
  since: string,
  doc: string,
): ConfKey<T> {
  return confKey({ key, type, default: fallback, since, readBy: ["driver"], doc });
}
