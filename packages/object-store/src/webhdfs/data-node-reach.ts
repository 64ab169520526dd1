import { addressScope, type Reach } from "@kindling/staging-client";

/** Who sent to a data node: its URL, and the address at which it was reached. */
export interface NameNodeAt {
  readonly url: URL;
  readonly address: string | undefined;
}

/**
 * How far the bytes may be fetched from where a name node sends to. Data nodes are in private networks, and there are too
 * many to name them all; but a name node that lies must not turn its clients against themselves, or against the metadata
 * service of their cloud.
 *
 * @param hosts of the configuration's `dataNodeHosts`
 */
export function dataNodeReach(
  target: URL,
  nameNode: NameNodeAt,
  hosts: readonly string[],
): Reach | "anywhere" | "none" {
  const { host, hostname } = target;
  if (hostname === nameNode.url.hostname || hosts.includes(host) || hosts.includes(hostname)) return "anywhere";
  const isWithin = hosts.some((pattern) => pattern === "*" || (pattern.startsWith("*.") && matches(pattern, target)));
  if (!isWithin) return "none";
  // A name node on this machine may have its data nodes there, too, under another name.
  const { address } = nameNode;
  return address !== undefined && addressScope(address) === "loopback" ? "machine" : "network";
}

function matches(pattern: string, { host, hostname }: URL): boolean {
  const end = pattern.slice(1);
  return host.endsWith(end) || hostname.endsWith(end);
}
