import { isIP } from "node:net";
import { kubeError } from "../errors/kube-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "socks5:", "socks5h:"]);

/**
 * The proxy for a server: the cluster entry's `proxy-url` for all that the cluster is asked, else the environment's
 * `HTTPS_PROXY` or `HTTP_PROXY` where `NO_PROXY` does not exempt the server; as kubectl (Go's `httpproxy`) does.
 *
 * @param source what names the proxy-url, for errors.
 */
export function chooseProxy(
  server: string,
  proxyUrl: string | undefined,
  source: string,
  env: Environment,
): string | undefined {
  if (proxyUrl !== undefined && proxyUrl !== "") return checkProxy(proxyUrl, `proxy-url of ${source}`);
  const variable = server.startsWith("https:") ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = fromEither(env, variable);
  if (value === undefined) return undefined;
  const url = new URL(server);
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  if (isExempt(url.hostname, port, fromEither(env, "NO_PROXY") ?? "")) return undefined;
  return checkProxy(value.includes("://") ? value : `http://${value}`, `the environment's ${variable}`);
}

function fromEither(env: Environment, name: string): string | undefined {
  const value = env[name] ?? env[name.toLowerCase()];
  return value === "" ? undefined : value;
}

function checkProxy(value: string, source: string): string {
  const scheme = URL.canParse(value) ? new URL(value).protocol : undefined;
  if (scheme !== undefined && SCHEMES.has(scheme)) return value;
  // The value itself may hold a password.
  const fault = scheme === undefined ? "is not a URL" : `has the scheme ${scheme.slice(0, -1)}`;
  throw kubeError({ kind: "config", file: undefined }, `${source} ${fault}`, {
    hint: "use an http, https, socks5 or socks5h URL",
  });
}

/** Whether `NO_PROXY` (hosts, domains, addresses, CIDR ranges, each perhaps with a port; or `*`) covers a server. */
export function isExempt(hostname: string, port: string, noProxy: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (host === "localhost" || isLoopback(host)) return true;
  return noProxy
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== "" && covers(entry, host, port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isInRange(host, entry);
  const [, bracketed, named, entryPort] = /^(?:\[(.+)\]|([^:]+|[^:]*:[^:]*:.*?))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? named ?? entry;
  if (entryPort !== undefined && entryPort !== port && isIP(entry) === 0) return false;
  if (isIP(host) !== 0 || isIP(entry) !== 0) return host === (isIP(entry) === 0 ? name : entry);
  const domain = name.replace(/^\*?\./, "");
  // A leading dot means subdomains only.
  return host.endsWith(`.${domain}`) || (host === domain && !/^\*?\./.test(name));
}

function isLoopback(host: string): boolean {
  return host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function isInRange(host: string, range: string): boolean {
  const [base = "", length = ""] = range.split("/");
  const bits = Number(length);
  const wanted = addressBits(base);
  const actual = addressBits(host);
  if (wanted === undefined || actual === undefined || wanted.length !== actual.length || !/^\d+$/.test(length))
    return false;
  return wanted.slice(0, bits) === actual.slice(0, bits);
}

/** An address as a text of zeros and ones. */
function addressBits(address: string): string | undefined {
  const family = isIP(address);
  if (family === 0) return undefined;
  if (family === 4)
    return address
      .split(".")
      .map((part) => Number(part).toString(2).padStart(8, "0"))
      .join("");
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return groups.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0")).join("");
}
