import type { Agent, ClientRequest, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import type { Clock } from "@kindling/outside";
import { literalOutOfReach, lookupWithin, nameOutOfSight, type Reach } from "../addresses/reach.ts";
import { proxyAuthorization, proxyServername, shownProxy, type Proxy } from "../proxy/proxy.ts";
import type { HttpRequest } from "./http-request.ts";
import { POOL_OPTIONS } from "./pool-options.ts";
import type { Route } from "./route.ts";
import type { TlsOptions } from "./tls-options.ts";

export { exchange } from "./exchange.ts";

/** All routes that a transport has used, with their pools of kept-alive connections. */
export interface Routes {
  /**
   * Requests of one reach never share a connection with those of another, nor those through a proxy with others.
   *
   * @throws HttpError `address` if the reach of the request cannot be checked, `options` for invalid certificates
   */
  to(request: HttpRequest, proxy: Proxy | undefined): Route | Promise<Route>;
  /** Closes all connections, also those in use. */
  close(): void;
}

export interface RouteSettings {
  readonly clock: Clock;
  readonly tls: TlsOptions;
  readonly maxConnections?: number | undefined;
  readonly connectTimeoutMs: number;
  readonly lookup?: LookupFunction | undefined;
}

/** The parts of a request that decide on a route. */
interface Way {
  readonly href: string;
  readonly reach: Reach | undefined;
  readonly proxy: Proxy | undefined;
}

interface Wire {
  readonly request: (options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
}

export function openRoutes(settings: RouteSettings, closing: AbortSignal): Routes {
  const { tls, clock, connectTimeoutMs, maxConnections } = settings;
  const open = new Map<string, Route | Promise<Route>>();
  const agents = new Set<Agent>();
  const tunnel = { clock, timeoutMs: connectTimeoutMs, signal: closing };
  // A client of one server needs the same route again and again.
  let last: (Way & { readonly route: Route }) | undefined;

  /** Modules are loaded when they are needed; those for TLS are the larger part. */
  async function wire(secure: boolean, own: TlsOptions, reach: Reach | undefined, through?: Proxy): Promise<Wire> {
    const lookup = reach === undefined ? settings.lookup : lookupWithin(reach);
    const pool = {
      ...POOL_OPTIONS,
      ...(maxConnections !== undefined && { maxSockets: maxConnections }),
      ...(lookup !== undefined && { lookup }),
    };
    const tunnels = through === undefined ? undefined : await import("../proxy/tunnel-agents.ts");
    if (secure) {
      const { request, secureAgent, secureOptions } = await import("./secure-wire.ts");
      const options = { ...pool, ...secureOptions(own) };
      if (tunnels === undefined || through === undefined) return { request, agent: secureAgent(options) };
      return { request, agent: tunnels.tlsTunnelAgent(through, options, tunnel) };
    }
    const { request, plainAgent } = await import("./plain-wire.ts");
    if (tunnels === undefined || through === undefined) return { request, agent: plainAgent(pool) };
    return { request, agent: tunnels.tunnelAgent(through, pool, tunnel) };
  }

  async function openRoute(secure: boolean, reach: Reach | undefined, proxy: Proxy | undefined): Promise<Route> {
    if (!secure && proxy !== undefined && !proxy.scheme.startsWith("socks")) {
      // The proxy decides which hosts may be reached. Its own certificate is checked like any other.
      const { request, agent } = await wire(
        proxy.scheme === "https",
        { servername: proxyServername(proxy) },
        undefined,
      );
      agents.add(agent);
      return forwardRoute(proxy, request, agent);
    }
    const { request, agent } = await wire(secure, tls, reach, proxy);
    agents.add(agent);
    const targetOf = targetFinder();
    return {
      secure,
      forward: undefined,
      proxied: proxy !== undefined,
      start(asked, headers) {
        const target = targetOf(asked.url);
        return request({ ...target, agent, method: asked.method, path: asked.path ?? target.path, headers });
      },
    };
  }

  return {
    to({ url, reach }, proxy) {
      if (last !== undefined && last.href === url.href && last.reach === reach && last.proxy === proxy)
        return last.route;
      if (reach !== undefined) {
        const unreachable = literalOutOfReach(url, reach) ?? (proxy === undefined ? undefined : nameOutOfSight(url));
        if (unreachable !== undefined) throw unreachable;
      }
      const key = `${url.protocol} ${reach ?? "anywhere"} ${proxy === undefined ? "" : shownProxy(proxy)}`;
      const existing = open.get(key);
      if (existing !== undefined) {
        if (!(existing instanceof Promise)) last = { href: url.href, reach, proxy, route: existing };
        return existing;
      }
      const opening = openRoute(url.protocol === "https:", reach, proxy);
      open.set(key, opening);
      opening.then(
        (route) => open.set(key, route),
        () => open.delete(key),
      );
      return opening;
    },
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

/** RFC 9112, 3.2.2: the proxy gets the request with the whole URL, and sends it to the server. */
function forwardRoute(proxy: Proxy, request: Wire["request"], agent: Agent): Route {
  const targetOf = targetFinder();
  const target = { protocol: `${proxy.scheme}:`, host: proxy.host, port: proxy.port, agent };
  return {
    secure: proxy.scheme === "https",
    forward: proxy,
    proxied: true,
    start(asked, headers) {
      const { host } = asked.url;
      const { path, auth } = targetOf(asked.url);
      const proxied = { ...headers, host, ...proxyAuthorization(proxy) };
      return request({
        ...target,
        method: asked.method,
        path: `http://${host}${asked.path ?? path}`,
        auth,
        headers: proxied,
      });
    },
  };
}

type Target = RequestOptions & { readonly path: string };

/** Finds out where requests for a URL go. It remembers the last one, because this takes as long as the rest of a request. */
function targetFinder(): (url: URL) => Target {
  let lastHref = "";
  let last: Target | undefined;
  return (url) => {
    const { href } = url;
    if (last === undefined || lastHref !== href) {
      last = targetOf(url);
      lastHref = href;
    }
    return last;
  };
}

function targetOf(url: URL): Target {
  const { protocol, hostname, port, username, password } = url;
  return {
    protocol,
    hostname: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
    path: `${url.pathname}${url.search}`,
    ...(username !== "" && { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` }),
  };
}
