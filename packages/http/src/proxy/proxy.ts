import { isIP } from "node:net";
import { httpError, type HttpError } from "../errors/http-error.ts";

export interface ProxyLogin {
  readonly user: string;
  readonly password: string;
}

/** A server that passes connections or requests on. It looks up the names of hosts, whatever its scheme is. */
export interface Proxy {
  readonly scheme: ProxyScheme;
  /** Name or address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** A function, so that no dump of the object shows it. */
  readonly login: () => ProxyLogin | undefined;
  /** Where it was configured, for errors: `HTTPS_PROXY`, or an entry of a file. */
  readonly source: string;
}

const DEFAULT_PORTS = { http: 80, https: 443, socks4: 1080, socks4a: 1080, socks5: 1080, socks5h: 1080 } as const;

export type ProxyScheme = keyof typeof DEFAULT_PORTS;

/**
 * Reads a proxy's URL; without a scheme it counts as http, as in curl.
 *
 * @param source where the proxy is configured, for errors
 * @throws HttpError `options`, which does not repeat the text: it may hold a password
 */
export function parseProxy(text: string, source: string): Proxy {
  const whole = text.includes("://") ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url === undefined) throw unusable(source, "it is not a URL");
  const scheme = url.protocol.slice(0, -1);
  if (!isProxyScheme(scheme)) throw unusable(source, `it has the scheme ${scheme}`);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "") throw unusable(source, "it names no host");
  const login = loginOf(url, source);
  const port = url.port === "" ? DEFAULT_PORTS[scheme] : Number(url.port);
  return { scheme, host, port, login: () => login, source };
}

/** The name of a proxy in messages, without its password. */
export function shownProxy({ scheme, host, port, source }: Proxy): string {
  return `the proxy ${scheme}://${host.includes(":") ? `[${host}]` : host}:${port} (${source})`;
}

/**
 * The name that a proxy's certificate must have. It is set explicitly, because Node would otherwise use the field `Host`,
 * which has the server's name. It is empty for an address, which is no name (RFC 6066, 3).
 */
export function proxyServername({ host }: Proxy): string {
  return isIP(host) === 0 ? host : "";
}

/** Basic authentication (RFC 7617), if the proxy has a login. */
export function proxyAuthorization(proxy: Proxy): Readonly<Record<string, string>> {
  const login = proxy.login();
  if (login === undefined) return {};
  return { "proxy-authorization": `Basic ${Buffer.from(`${login.user}:${login.password}`).toString("base64")}` };
}

function isProxyScheme(scheme: string): scheme is ProxyScheme {
  return Object.hasOwn(DEFAULT_PORTS, scheme);
}

function loginOf({ username, password }: URL, source: string): ProxyLogin | undefined {
  if (username === "" && password === "") return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    throw unusable(source, "its user or password has a % that is no escape");
  }
}

function unusable(source: string, fault: string): HttpError {
  return httpError({ kind: "options" }, source, fault, {
    hint: "write the proxy as an http, https, socks4a, socks5 or socks5h URL",
  });
}
