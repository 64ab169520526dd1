import type { Socket } from "node:net";
import type { Clock } from "@kindling/outside";
import { httpError, type HttpError } from "../errors/http-error.ts";
import { shownProxy, type Proxy } from "./proxy.ts";
import type { Destroyable, TunnelOpener, TunnelTarget } from "./tunnel-opener.ts";

export interface TunnelSettings {
  readonly clock: Clock;
  /** The time limit for all steps together. */
  readonly timeoutMs: number;
  /** Ends unfinished steps. */
  readonly signal: AbortSignal;
}

/** Opens a connection to a host through a proxy. Rejects with an HttpError `proxy`, `timeout` or `aborted`. */
export async function openTunnel(proxy: Proxy, target: TunnelTarget, settings: TunnelSettings): Promise<Socket> {
  const { clock, timeoutMs, signal } = settings;
  const connections: Destroyable[] = [];
  const giveUp = (error: HttpError): void => connections.forEach((connection) => connection.destroy(error));
  const abort = (): void => giveUp(httpError({ kind: "aborted" }, shownProxy(proxy), "given up"));
  const late = (): void => {
    const words = `no connection within ${timeoutMs} ms`;
    const context = { retryable: true, hint: `check ${proxy.source}` };
    giveUp(
      httpError({ kind: "timeout", phase: "connect", milliseconds: timeoutMs }, shownProxy(proxy), words, context),
    );
  };
  const cancel = Number.isFinite(timeoutMs) ? clock.after(timeoutMs, late) : (): void => undefined;
  signal.addEventListener("abort", abort, { once: true });
  try {
    const open = await openerFor(proxy);
    return await open(proxy, target, (connection) => connections.push(connection));
  } finally {
    cancel();
    signal.removeEventListener("abort", abort);
  }
}

/** SOCKS needs a library that most users never need. */
async function openerFor({ scheme }: Proxy): Promise<TunnelOpener> {
  if (scheme.startsWith("socks")) return (await import("./socks-tunnel.ts")).openSocksTunnel;
  return (await import("./http-tunnel.ts")).openHttpTunnel;
}
