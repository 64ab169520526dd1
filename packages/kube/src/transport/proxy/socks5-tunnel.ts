import { connect, isIPv4, type Socket } from "node:net";
import type { TunnelTarget } from "./open-tunnel.ts";
import { ProxyFailure } from "./proxy-failure.ts";

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const USER_AND_PASSWORD = 2;
const IPV4 = 1;
const HOST_NAME = 3;
const IPV6 = 4;

/** RFC 1928, section 6. */
const REPLIES: readonly string[] = [
  "succeeded",
  "general failure",
  "connection not allowed",
  "network unreachable",
  "host unreachable",
  "connection refused",
  "time to live expired",
  "command not supported",
  "address type not supported",
];

/** RFC 1928 with RFC 1929's passwords. Host names are resolved by the proxy, as Go's client does for socks5 as well. */
export async function openSocks5Tunnel(proxy: URL, target: TunnelTarget): Promise<Socket> {
  const socket = connect({
    host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: proxy.port === "" ? 1080 : Number(proxy.port),
  });
  try {
    await negotiate(socket, proxy);
    await requestConnection(socket, proxy, target);
    return socket;
  } catch (error) {
    socket.destroy();
    if (error instanceof ProxyFailure) throw error;
    throw new ProxyFailure(proxy, error instanceof Error ? error.message : String(error), error as Error);
  }
}

async function negotiate(socket: Socket, proxy: URL): Promise<void> {
  const method = proxy.username === "" ? NO_AUTHENTICATION : USER_AND_PASSWORD;
  socket.write(Buffer.from([VERSION, 1, method]));
  const choice = await readExactly(socket, 2);
  if (choice[0] !== VERSION) throw new ProxyFailure(proxy, "it does not speak SOCKS 5");
  if (choice[1] !== method) {
    throw new ProxyFailure(proxy, method === NO_AUTHENTICATION ? "it asks for a password" : "it takes no password");
  }
  if (method === NO_AUTHENTICATION) return;
  const user = Buffer.from(decodeURIComponent(proxy.username));
  const password = Buffer.from(decodeURIComponent(proxy.password));
  socket.write(Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]));
  const verdict = await readExactly(socket, 2);
  if (verdict[1] !== 0) throw new ProxyFailure(proxy, "it refuses the user or password");
}

async function requestConnection(socket: Socket, proxy: URL, target: TunnelTarget): Promise<void> {
  const port = Buffer.alloc(2);
  port.writeUInt16BE(target.port);
  socket.write(Buffer.concat([Buffer.from([VERSION, 1, 0]), address(target.host), port]));
  const reply = await readExactly(socket, 4);
  const code = reply[1] ?? 1;
  if (code !== 0) throw new ProxyFailure(proxy, `it cannot connect: ${REPLIES[code] ?? `reply ${code}`}`);
  // The address that the proxy has bound, which tells us nothing, and its port.
  const length = reply[3] === IPV4 ? 4 : reply[3] === IPV6 ? 16 : ((await readExactly(socket, 1))[0] ?? 0);
  await readExactly(socket, length + 2);
}

function address(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([IPV4, ...host.split(".").map(Number)]);
  // A literal IPv6 address goes as a name too; proxies parse it.
  const name = Buffer.from(host);
  return Buffer.concat([Buffer.from([HOST_NAME, name.length]), name]);
}

function readExactly(socket: Socket, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const attempt = (): void => {
      const bytes = socket.read(length) as Buffer | null;
      if (bytes === null) return;
      stop();
      resolve(bytes);
    };
    const fail = (error?: Error): void => {
      stop();
      reject(error ?? Object.assign(new Error("it closed the connection"), { code: "ECONNRESET" }));
    };
    const closed = (): void => fail();
    const stop = (): void => {
      socket.off("readable", attempt).off("error", fail).off("close", closed).off("end", closed);
    };
    socket.on("readable", attempt).on("error", fail).on("close", closed).on("end", closed);
    attempt();
  });
}
