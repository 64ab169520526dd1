import { connect, type Socket } from "node:net";
import { SocksClient, type SocksClientOptions } from "socks";
import { isHttpError, type HttpError } from "../errors/http-error.ts";
import type { Proxy } from "./proxy.ts";
import { loginHint, proxyRefuses, proxyUnreachable } from "./proxy-fault.ts";
import type { TunnelOpener } from "./tunnel-opener.ts";

/** The limit of the library's own timer, which cannot be cancelled. The caller's limit is shorter. */
const LONGEST_MS = 300_000;

/** SOCKS 4a, and 5 (RFC 1928) with its passwords (RFC 1929). Host names are sent to the proxy unchanged. */
export const openSocksTunnel: TunnelOpener = async (proxy, target, begun) => {
  const socket = connect({ host: proxy.host, port: proxy.port });
  begun(socket);
  // The error that ended it, from outside or from Node; the library only reports that it was closed.
  let broken: Error | undefined;
  socket.on("error", (error) => (broken = error));
  try {
    await connected(socket);
    await SocksClient.createConnection(optionsFor(proxy, target, socket));
    return socket;
  } catch (error) {
    socket.destroy();
    if (broken !== undefined) throw isHttpError(broken) ? broken : proxyUnreachable(proxy, broken);
    throw refusal(proxy, error);
  }
};

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
}

function optionsFor(proxy: Proxy, destination: { host: string; port: number }, socket: Socket): SocksClientOptions {
  const login = proxy.login();
  return {
    command: "connect",
    proxy: {
      host: proxy.host,
      port: proxy.port,
      type: proxy.scheme.startsWith("socks4") ? 4 : 5,
      ...(login !== undefined && { userId: login.user, password: login.password }),
    },
    destination,
    existing_socket: socket,
    timeout: LONGEST_MS,
  };
}

/** The error in words; the library's own error contains the password. */
function refusal(proxy: Proxy, error: unknown): HttpError {
  const message = error instanceof Error ? error.message : "";
  if (message.includes("Authentication failed")) {
    return proxyRefuses(proxy, "it refuses the user or password", loginHint(proxy));
  }
  if (message.includes("no accepted authentication type")) {
    const words = proxy.login() === undefined ? "it asks for a password" : "it takes no password";
    return proxyRefuses(proxy, words, loginHint(proxy));
  }
  const [, reply] = /rejected connection\s*-\s*\(?(\w+)\)?/.exec(message) ?? [];
  if (reply !== undefined) return proxyRefuses(proxy, `it cannot connect: ${spaced(reply)}`);
  if (message.includes("closed")) return proxyRefuses(proxy, "it closed the connection");
  return proxyRefuses(proxy, `it does not speak SOCKS ${proxy.scheme.startsWith("socks4") ? "4" : "5"}`);
}

/** `ConnectionRefused`, as the library writes RFC 1928's replies, to `connection refused`. */
function spaced(reply: string): string {
  return reply.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
