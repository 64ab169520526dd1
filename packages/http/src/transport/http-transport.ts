import type { LookupFunction } from "node:net";
import type { Clock } from "@kindling/outside";
import { httpError, type HttpError } from "../errors/http-error.ts";
import type { ProxyChoice } from "../proxy/proxy-choice.ts";
import type { Proxy } from "../proxy/proxy.ts";
import type * as Routes from "./routes.ts";
import type { HttpRequest, HttpResponse } from "./http-request.ts";
import type { TlsOptions } from "./tls-options.ts";
import { createUnderWay } from "./under-way.ts";

export interface TransportOptions {
  readonly clock: Clock;
  readonly tls: TlsOptions;
  /** `environmentProxies(env)`, or `withoutProxy`. */
  readonly proxies: ProxyChoice;
  /** Most connections to one host; default: any number. */
  readonly maxConnections?: number | undefined;
  /** Time until a connection is ready, including TLS and proxy. The wait for a busy connection does not count. */
  readonly connectTimeoutMs: number;
  /**
   * Longest pause between two bytes while a body is on its way, in either direction. A slow reader does not count as a
   * pause.
   */
  readonly stallTimeoutMs: number;
  /** Longest wait for an answer's beginning after the last byte of the request: a store may have to assemble a file. */
  readonly answerTimeoutMs: number;
  /** Resolves names for all connections; default: the system's resolver. */
  readonly lookup?: LookupFunction | undefined;
}

/** HTTP over kept-alive connections; rejects with an `HttpError` if there is no answer. An answer of any status is no error. */
export interface HttpTransport {
  readonly clock: Clock;
  readonly stallTimeoutMs: number;
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Ends requests under way with `aborted`, and refuses later ones. */
  close(): void;
}

/** Opens no connection before it is used, and loads Node's HTTP and TLS only then: they cost some ten milliseconds. */
export function httpTransport(options: TransportOptions): HttpTransport {
  const { clock, stallTimeoutMs } = options;
  const underWay = createUnderWay();
  const closing = new AbortController();
  const settings = { ...options, underWay };
  let loaded: { readonly module: typeof Routes; readonly routes: Routes.Routes } | undefined;

  async function load(): Promise<NonNullable<typeof loaded>> {
    const module = await import("./routes.ts");
    loaded ??= { module, routes: module.openRoutes(options, closing.signal) };
    return loaded;
  }

  /** Does not wait for modules that are loaded already, so that an answer takes fewer turns of the event loop. */
  function sendVia(request: HttpRequest, proxy: Proxy | undefined): Promise<HttpResponse> {
    if (loaded === undefined) return load().then(() => sendVia(request, proxy));
    if (closing.signal.aborted) throw closed(request);
    const { module, routes } = loaded;
    const route = routes.to(request, proxy);
    return route instanceof Promise
      ? route.then(() => sendVia(request, proxy))
      : module.exchange(request, route, settings);
  }

  return {
    clock,
    stallTimeoutMs,
    send(request) {
      try {
        refuseAtOnce(request, closing.signal);
        return sendVia(request, request.direct === true ? undefined : options.proxies(request.url));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    close() {
      closing.abort();
      underWay.endAll();
      loaded?.routes.close();
    },
  };
}

function refuseAtOnce(request: HttpRequest, closing: AbortSignal): void {
  const { url, signal } = request;
  if (closing.aborted) throw closed(request);
  if (signal?.aborted === true) throw httpError({ kind: "aborted" }, url.origin, "aborted", { cause: signal.reason });
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw httpError({ kind: "options" }, url.href.slice(0, url.href.indexOf(":") + 1), "not an http or https URL");
  }
}

function closed({ url }: HttpRequest): HttpError {
  return httpError({ kind: "aborted" }, url.origin, "the client is closed");
}
