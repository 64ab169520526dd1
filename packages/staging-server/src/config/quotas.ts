import { KindlingError, parseBytes } from "@kindling/core-spec";
import { matchesNamespace } from "@kindling/service";
import type { ServerConfig } from "./server-config.ts";

/**
 * How many bytes a namespace may have; `undefined` for no limit.
 *
 * @throws KindlingError `CONF_INVALID` for a wrong entry of `quota.namespaces`
 */
export function quotas(config: ServerConfig): (namespace: string) => number | undefined {
  const rows = config["quota.namespaces"].map((entry) => {
    const [pattern = "", size = "", ...rest] = entry.split("=").map((part) => part.trim());
    const bytes = parseBytes(size, "b");
    if (pattern === "" || bytes === undefined || rest.length > 0) {
      throw new KindlingError("CONF_INVALID", `quota.namespaces: ${JSON.stringify(entry)} is not namespace=size`);
    }
    return { pattern, bytes: Number(bytes) };
  });
  const limit = (bytes: number): number | undefined => (bytes === 0 ? undefined : bytes);
  return (namespace) => {
    const row = rows.find(({ pattern }) => matchesNamespace(namespace, [pattern]));
    return limit(row?.bytes ?? config["quota.default"]);
  };
}
