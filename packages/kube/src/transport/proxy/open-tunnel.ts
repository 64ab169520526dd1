import type { Socket } from "node:net";

/** The far end of a tunnel. */
export interface TunnelTarget {
  readonly host: string;
  readonly port: number;
}

/** Opens a connection to a host through a proxy. Rejects with a ProxyFailure. */
export async function openTunnel(proxy: URL, target: TunnelTarget): Promise<Socket> {
  if (proxy.protocol === "socks5:" || proxy.protocol === "socks5h:") {
    const { openSocks5Tunnel } = await import("./socks5-tunnel.ts");
    return openSocks5Tunnel(proxy, target);
  }
  const { openHttpTunnel } = await import("./http-tunnel.ts");
  return openHttpTunnel(proxy, target);
}
