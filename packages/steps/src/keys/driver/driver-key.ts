import { confKey, type ConfKey, type KeyDeclaration, type VersionedDefault } from "@kindling/core-spec";

/**
 * A key that only a running driver reads. Here it is only passed on. It is declared so that the configuration reference is
 * complete. Defaults are those of the known releases of Spark.
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
