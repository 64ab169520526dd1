import type { Env } from "@kindling/outside";
import { noProxyRule } from "./no-proxy.ts";
import { parseProxy, type Proxy } from "./proxy.ts";

/**
 * The proxy for a URL; undefined means a direct connection to its host.
 *
 * @throws HttpError `options` for a proxy that cannot be used
 */
export type ProxyChoice = (url: URL) => Proxy | undefined;

/** The value of an environment variable. */
type Variables = (name: string) => string | undefined;

/** Direct connections to all hosts: for callers that do not use the environment. */
export const withoutProxy: ProxyChoice = () => undefined;

/**
 * The proxies of an environment: `HTTPS_PROXY` for https, `HTTP_PROXY` for http, `ALL_PROXY` if that one is not set, none
 * if `NO_PROXY` says so. Each name is also read in lower case, which comes second (as in Go's `httpproxy`; only curl has
 * `ALL_PROXY`). Empty values count as not set. Nothing is read or checked before a URL needs it.
 */
export function environmentProxies(env: Env | Variables): ProxyChoice {
  const variable: Variables = typeof env === "function" ? env : (name) => env[name];
  const parsed = new Map<string, Proxy>();
  let isExempt: ((url: URL) => boolean) | undefined;
  return (url) => {
    const [name, value] = proxyVariable(url, variable) ?? [];
    if (name === undefined || value === undefined) return undefined;
    isExempt ??= noProxyRule(variable("NO_PROXY") || variable("no_proxy") || "");
    if (isExempt(url)) return undefined;
    const proxy = parsed.get(name) ?? parseProxy(value, name);
    parsed.set(name, proxy);
    return proxy;
  };
}

function proxyVariable({ protocol }: URL, variable: Variables): readonly [name: string, value: string] | undefined {
  const own = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  for (const name of [own, own.toLowerCase(), "ALL_PROXY", "all_proxy"]) {
    // In a CGI script, HTTP_PROXY is the field `Proxy` of the request's sender (CVE-2016-5385).
    if (name === "HTTP_PROXY" && variable("REQUEST_METHOD") !== undefined) continue;
    const value = variable(name);
    if (value !== undefined && value !== "") return [name, value];
  }
  return undefined;
}
