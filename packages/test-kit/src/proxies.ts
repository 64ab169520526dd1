import { createServer, request as forwardRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Certificate } from "./certificates.ts";

export interface TestProxy {
  readonly port: number;
  /** `host:port` of each requested tunnel. */
  readonly targets: readonly string[];
  /** Requests to forward, as they were received. */
  readonly requests: readonly IncomingMessage[];
}

/** The port of this machine for a host, by its `name:port`; other hosts are looked up as usual. */
type Hosts = Readonly<Record<string, number>>;

export interface HttpProxyOptions {
  /** Clients without it are refused with 407. */
  readonly authorization?: string;
  /** Refuses everybody with this status. */
  readonly status?: number;
  readonly hosts?: Hosts;
  /** Makes it a proxy over TLS. */
  readonly tls?: Certificate;
}

/** An HTTP proxy: tunnels (RFC 9110, 9.3.6), and requests with the whole URL (RFC 9112, 3.2.2). */
export async function startHttpProxy(options: HttpProxyOptions = {}): Promise<TestProxy> {
  const targets: string[] = [];
  const requests: IncomingMessage[] = [];
  const refusal = ({ headers }: IncomingMessage): number | undefined =>
    options.status ?? (headers["proxy-authorization"] === options.authorization ? undefined : 407);
  const forward = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(request);
    const status = refusal(request);
    if (status === undefined) passOn(request, response, options.hosts);
    else response.writeHead(status).end("the proxy does not want to");
  };
  const server = options.tls === undefined ? createServer(forward) : createSecureServer(options.tls, forward);
  server.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const target = request.url ?? "";
    const status = refusal(request);
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
      return;
    }
    targets.push(target);
    splice(socket, placeOf(target, options.hosts), () => socket.write("HTTP/1.1 200 Established\r\n\r\n"), head);
  });
  return { port: await listen(server), targets, requests };
}

function passOn(request: IncomingMessage, response: ServerResponse, hosts: Hosts | undefined): void {
  const url = new URL(request.url ?? "");
  const { host, port } = placeOf(`${url.hostname}:${url.port || 80}`, hosts);
  const { "proxy-authorization": _login, ...headers } = request.headers;
  const path = `${url.pathname}${url.search}`;
  const onward = forwardRequest({ host, port, path, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.writeHead(502).end());
  request.pipe(onward);
}

export interface SocksProxyOptions {
  /** With it, clients need this user and password (RFC 1929). */
  readonly password?: string;
  readonly hosts?: Hosts;
  /** Answers each request with this reply (RFC 1928, 6). */
  readonly reply?: number;
}

/** A SOCKS proxy: 4a, and 5 (RFC 1928) with or without a password. */
export async function startSocksProxy(options: SocksProxyOptions = {}): Promise<TestProxy> {
  const targets: string[] = [];
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (greeting: Buffer) => {
      if (greeting[0] === 4) serveSocks4(socket, greeting, options, targets);
      else void serveSocks5(socket, greeting, options, targets);
    });
  });
  return { port: await listen(server), targets, requests: [] };
}

function serveSocks4(socket: Socket, wish: Buffer, { hosts }: SocksProxyOptions, targets: string[]): void {
  // Version, command, port, address, user; with an address 0.0.0.x a host name follows.
  const [, name = ""] = wish.subarray(8).toString("latin1").split("\0");
  const host = wish.readUIntBE(4, 3) === 0 ? name : [...wish.subarray(4, 8)].join(".");
  const target = `${host}:${wish.readUInt16BE(2)}`;
  targets.push(target);
  splice(socket, placeOf(target, hosts), () => socket.write(Buffer.from([0, 90, 0, 0, 0, 0, 0, 0])));
}

async function serveSocks5(
  socket: Socket,
  greeting: Buffer,
  { password, hosts, reply = 0 }: SocksProxyOptions,
  targets: string[],
): Promise<void> {
  const next = (): Promise<Buffer> => new Promise((resolve) => socket.once("data", resolve));
  const method = password === undefined ? 0 : 2;
  socket.write(Buffer.from([5, greeting.subarray(2).includes(method) ? method : 0xff]));
  if (password !== undefined) {
    const login = await next();
    socket.write(Buffer.from([1, login.toString("latin1").endsWith(password) ? 0 : 1]));
  }
  const wish = await next();
  const isName = wish[3] === 3;
  const host = isName ? wish.subarray(5, 5 + (wish[4] ?? 0)).toString() : [...wish.subarray(4, 8)].join(".");
  const target = `${host}:${wish.readUInt16BE(wish.length - 2)}`;
  const answer = Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
  targets.push(target);
  if (reply === 0) splice(socket, placeOf(target, hosts), () => socket.write(answer));
  else socket.end(answer);
}

function placeOf(target: string, hosts: Hosts = {}): { readonly host: string; readonly port: number } {
  const url = new URL(`tcp://${target}`);
  const known = hosts[target];
  if (known !== undefined) return { host: "127.0.0.1", port: known };
  return { host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(url.port) };
}

function splice(
  socket: Socket,
  { host, port }: { readonly host: string; readonly port: number },
  onConnected: () => void,
  head: Buffer = Buffer.alloc(0),
): void {
  const upstream = connect(port, host, () => {
    onConnected();
    upstream.write(head);
    socket.pipe(upstream).pipe(socket);
  });
  upstream.on("error", () => socket.destroy());
  socket.on("error", () => upstream.destroy());
  socket.on("close", () => upstream.destroy());
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}
