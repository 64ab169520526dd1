import { isIP } from "node:net";

/** Names of a service for pods of the same cluster, besides its bare name. */
const OF_THE_CLUSTER = ["localhost", "*.localhost", "*.svc", "*.svc.cluster.local"];

/**
 * Whether a request was meant for this server, by its header `Host`. A web page from elsewhere can make its own name resolve
 * to this server's address (DNS rebinding), and could then read this server's answers in the visitor's browser. In that case
 * `Host` is that page's name. No such page has an IP address or a name without a dot as its name.
 *
 * @param names further names; `*.example` stands for all names below `example`, `*` for all names
 */
export function isOwnHost(host: string | undefined, names: readonly string[]): boolean {
  // Browsers always send this header.
  if (host === undefined) return true;
  const name = host
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
    .toLowerCase();
  if (isIP(name) !== 0 || !name.includes(".")) return true;
  return [...OF_THE_CLUSTER, ...names].some((pattern) => matches(pattern.toLowerCase(), name));
}

function matches(pattern: string, name: string): boolean {
  if (pattern === "*") return true;
  return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : name === pattern;
}
