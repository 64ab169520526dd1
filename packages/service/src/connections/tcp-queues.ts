import { readFile } from "node:fs/promises";
import { ipv6Groups } from "./client-address.ts";

/** Bytes that each peer of a local port has not acknowledged yet, by {@link peerKey}. */
export type TcpQueues = ReadonlyMap<string, number>;

const FILES = ["/proc/net/tcp", "/proc/net/tcp6"] as const;

/**
 * What Linux says about the send queues of a port's connections (Documentation/networking/proc_net_tcp.rst).
 *
 * @returns `undefined` on systems without this table
 */
export async function tcpQueues(localPort: number): Promise<TcpQueues | undefined> {
  const texts = await Promise.all(FILES.map((file) => readFile(file, "latin1").catch(() => undefined)));
  if (texts.every((text) => text === undefined)) return undefined;
  return new Map(texts.flatMap((text = "") => parseTcpTable(text, localPort)));
}

/** The rows of one table that are about a local port. */
export function parseTcpTable(text: string, localPort: number): [string, number][] {
  const rows: [string, number][] = [];
  const port = `:${localPort.toString(16).toUpperCase().padStart(4, "0")}`;
  // The first line names the columns: number, local address, remote address, state, tx_queue:rx_queue.
  for (const line of text.split("\n").slice(1)) {
    const [, local = "", remote = "", , queues = ""] = line.trim().split(/\s+/, 5);
    if (!local.endsWith(port)) continue;
    const [address = "", remotePort = ""] = remote.split(":");
    rows.push([
      peerKey(addressOfHex(address), Number.parseInt(remotePort, 16)),
      Number.parseInt(queues.split(":")[0] ?? "", 16),
    ]);
  }
  return rows;
}

/** One spelling for each peer, whether its address is given as IPv4 or IPv6. */
export function peerKey(address: string, port: number): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  const isV6 = mapped === undefined && address.includes(":");
  return `${isV6 ? ipv6Groups(address).join(":") : (mapped ?? address)} ${port}`;
}

/** The kernel prints addresses as 32-bit words in the processor's byte order, which is little-endian wherever Node runs. */
function addressOfHex(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => (word.match(/../g) ?? []).toReversed());
  if (bytes.length === 4) return dotted(bytes);
  const isMapped = bytes.slice(0, 10).every((byte) => byte === "00") && bytes[10] === "FF" && bytes[11] === "FF";
  if (isMapped) return dotted(bytes.slice(12));
  return (bytes.join("").match(/.{4}/g) ?? []).join(":");
}

function dotted(bytes: readonly string[]): string {
  return bytes.map((byte) => Number.parseInt(byte, 16)).join(".");
}
