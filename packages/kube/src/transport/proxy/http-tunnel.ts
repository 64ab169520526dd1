import { request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { TunnelTarget } from "./open-tunnel.ts";
import { ProxyFailure } from "./proxy-failure.ts";

/** RFC 9110, 9.3.6: CONNECT. */
export function openHttpTunnel(proxy: URL, target: TunnelTarget): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const request = connectRequest(proxy, target);
    request.on("error", (error) => reject(new ProxyFailure(proxy, error.message, error)));
    request.on("response", (response) => reject(refusal(proxy, response)));
    request.on("connect", (response: IncomingMessage, socket: Socket, head: Buffer) => {
      if (response.statusCode !== 200) {
        socket.destroy();
        reject(refusal(proxy, response));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}

function connectRequest(proxy: URL, target: TunnelTarget): ClientRequest {
  const authority = `${target.host.includes(":") ? `[${target.host}]` : target.host}:${target.port}`;
  const secure = proxy.protocol === "https:";
  const options: RequestOptions = {
    method: "CONNECT",
    host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: proxy.port === "" ? (secure ? 443 : 80) : Number(proxy.port),
    path: authority,
    agent: false,
    headers: { host: authority, ...authorization(proxy) },
  };
  return secure ? httpsRequest(options) : httpRequest(options);
}

function authorization(proxy: URL): { "proxy-authorization"?: string } {
  if (proxy.username === "") return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

function refusal(proxy: URL, response: IncomingMessage): ProxyFailure {
  return new ProxyFailure(proxy, `it answered ${response.statusCode} ${response.statusMessage} to CONNECT`);
}
