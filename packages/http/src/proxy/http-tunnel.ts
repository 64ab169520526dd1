import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { proxyAuthorization, proxyServername, type Proxy } from "./proxy.ts";
import { proxyRefusal, proxyUnreachable } from "./proxy-fault.ts";
import type { TunnelOpener, TunnelTarget } from "./tunnel-opener.ts";

/** RFC 9110, 9.3.6: CONNECT. */
export const openHttpTunnel: TunnelOpener = (proxy, target, begun) =>
  new Promise((resolve, reject) => {
    const authority = authorityOf(target);
    const request = connectRequest(proxy, authority);
    begun(request);
    request.on("error", (error) => reject(proxyUnreachable(proxy, error)));
    const refuse = ({ statusCode = 0 }: IncomingMessage): void => {
      request.destroy();
      reject(proxyRefusal(proxy, statusCode, `CONNECT ${authority}`));
    };
    request.on("response", refuse);
    request.on("connect", (response: IncomingMessage, socket: Socket, head: Buffer) => {
      // Any 2xx opens the tunnel.
      if (response.statusCode === undefined || response.statusCode < 200 || response.statusCode > 299) {
        socket.destroy();
        refuse(response);
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });

function connectRequest(proxy: Proxy, authority: string): ClientRequest {
  const options: RequestOptions = {
    method: "CONNECT",
    host: proxy.host,
    port: proxy.port,
    path: authority,
    agent: false,
    headers: { host: authority, ...proxyAuthorization(proxy) },
  };
  if (proxy.scheme !== "https") return httpRequest(options);
  // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment does not turn it off.
  return httpsRequest({ ...options, servername: proxyServername(proxy), rejectUnauthorized: true });
}

function authorityOf({ host, port }: TunnelTarget): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
