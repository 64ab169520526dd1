import type { ClientRequest, OutgoingHttpHeaders } from "node:http";
import type { Proxy } from "../proxy/proxy.ts";
import type { HttpRequest } from "./http-request.ts";

/** A way to servers, over connections of one kind. */
export interface Route {
  /** Whether its connections begin with TLS. */
  readonly secure: boolean;
  /** The proxy that gets requests instead of their server; undefined for a tunnel. */
  readonly forward: Proxy | undefined;
  /** Whether a proxy opens its connections. */
  readonly proxied: boolean;
  start(request: HttpRequest, headers: OutgoingHttpHeaders): ClientRequest;
}
