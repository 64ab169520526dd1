import { addressScope, type Reach } from "@kindling/http";

/** The name node that redirected to a data node: its URL and, if known, its address. */
export interface NameNodeAt {
  readonly url: URL;
  readonly address: string | undefined;
}

/**
 * The reach of a request to the data node that a name node names. Data nodes are in private networks, and there are too
 * many to list them all. But a malicious name node must not send its clients to their own machine, or to the metadata
 * service of their cloud.
 *
 * @param dataNodes hosts, as `name` or `name:port`; with `*` for any characters, a pattern allows hosts of public and
 * private networks
 */
export function dataNodeReach(
  target: URL,
  nameNode: NameNodeAt,
  dataNodes: readonly string[],
): Reach | "anywhere" | "none" {
  const { host, hostname } = target;
  if (hostname === nameNode.url.hostname || dataNodes.includes(host) || dataNodes.includes(hostname)) return "anywhere";
  if (!dataNodes.some((pattern) => pattern.includes("*") && (matches(pattern, host) || matches(pattern, hostname)))) {
    return "none";
  }
  // A name node on this machine may have its data nodes here, too, under another name.
  const { address } = nameNode;
  return address !== undefined && addressScope(address) === "loopback" ? "machine" : "network";
}

/** Compares part by part, without a regular expression, so that no setting can make it slow. */
function matches(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop() ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
