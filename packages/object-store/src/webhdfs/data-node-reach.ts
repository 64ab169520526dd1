import { addressScope, type Reach } from "@kindling/http";

/** Who sent to a data node: its URL, and the address at which it was reached, where that is known. */
export interface NameNodeAt {
  readonly url: URL;
  readonly address: string | undefined;
}

/**
 * How far a request may go to where a name node sends it. Data nodes are in private networks, and there are too many to
 * name them all; but a name node that lies must not turn its clients against themselves, or against the metadata service
 * of their cloud.
 *
 * @param dataNodes hosts, as `name` or `name:port`; with `*` for any characters they match names of any host of a network
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
  // A name node on this machine may have its data nodes there, too, under another name.
  const { address } = nameNode;
  return address !== undefined && addressScope(address) === "loopback" ? "machine" : "network";
}

/** Part by part, without a regular expression: what a setting says cannot make it slow. */
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
