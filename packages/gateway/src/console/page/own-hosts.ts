import { isIP } from "node:net";

/** What a pod of the same cluster calls a service, beside its bare name. */
const OF_THE_CLUSTER = ["localhost", "*.localhost", "*.svc", "*.svc.cluster.local"];

/**
 * Whether a request was meant for this server, by its header `Host`. A web page from elsewhere can have its own name lead
 * to this server's address (DNS rebinding), and would read what is here in the name of whoever looks at it: the name is
 * then that page's. An address, or a name without a dot, is nobody's web page.
 *
 * @param names further names; one that begins with `*.` stands for all below it, `*` for all
 */
export function isOwnHost(host: string | undefined, names: readonly string[]): boolean {
  // Browsers always send one.
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
