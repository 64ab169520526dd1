import type { KubeObject } from "@kindling/kube-objects";
import { type IncomingHttpHeaders, type IncomingMessage, request as sendHttp } from "node:http";
import { request as sendHttps } from "node:https";
import {
  type Api,
  ApiError,
  badRequest,
  collectionOf,
  type Exchange,
  notFound,
  resourceName,
  type SubresourceHandler,
} from "@kindling/api-server";
import { type EndpointSlice, SERVICE_NAME, type Service } from "../objects/core.ts";

/** The destination of a request for a service. */
interface Place {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

// Header fields of this connection (RFC 9110, 7.6.1), and those with the caller's credentials, which are only for the API
// server.
const NOT_PASSED_ON = /^(?:connection|keep-alive|proxy-.*|te|trailer|upgrade|authorization|impersonate-.*)$/;

/**
 * Any request to a service, sent to one of its ready endpoints, as the API server's proxy does (k8s.io/apimachinery,
 * util/proxy): the certificate of an `https:` endpoint is not checked.
 */
export const serviceProxy: SubresourceHandler = async ({ service, exchange, type, target }) => {
  const [, scheme = "http", name = "", port = ""] = /^(?:(https?):)?([^:]*)(?::([^:]*))?$/.exec(target.name) ?? [];
  if (name === "") throw badRequest(`invalid service request ${JSON.stringify(target.name)}`);
  const stored = collectionOf(service.api, type).get(target.namespace, name);
  if (stored === undefined) throw notFound(resourceName(type), name);
  const slices = slicesOf(service.api, stored.object);
  if (slices.length === 0) throw notFound(resourceName(type), name);
  const place = endpointOf(slices, stored.object as Service, port);
  if (place === undefined) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  await pass(exchange, { ...place, secure: scheme === "https" });
};

function slicesOf({ store }: Api, { metadata: { namespace, name } }: KubeObject): EndpointSlice[] {
  return [...store.collection("endpointslices.discovery.k8s.io").list(namespace)]
    .map(({ object }) => object as EndpointSlice)
    .filter(({ metadata }) => metadata.labels?.[SERVICE_NAME] === name);
}

function endpointOf(
  slices: readonly EndpointSlice[],
  { spec }: Service,
  wanted: string,
): Omit<Place, "secure"> | undefined {
  const ports = spec.ports ?? [];
  const port = ports.find(({ name, port: number }) =>
    wanted === "" ? ports.length === 1 : wanted === name || wanted === String(number),
  );
  if (port === undefined) return undefined;
  for (const { endpoints, ports: open } of slices) {
    const host = endpoints.find(({ conditions }) => conditions?.ready !== false)?.addresses[0];
    const found = open.find(({ name }) => (name ?? "") === (port.name ?? ""))?.port;
    if (host !== undefined && found !== undefined) return { host, port: found };
  }
  return undefined;
}

function pass({ request, response, path, query }: Exchange, { secure, host, port }: Place): Promise<void> {
  const [, before = "", rest = ""] = /^([^]*?\/services\/[^/]+\/proxy)(\/[^]*)?$/.exec(path) ?? [];
  const text = query.toString() === "" ? "" : (request.url ?? "").slice(path.length);
  const headers = { ...passedOn(request.headers), "x-forwarded-for": request.socket.remoteAddress ?? "" };
  return new Promise((resolve, reject) => {
    const options = { host, port, method: request.method, path: (rest === "" ? "/" : rest) + text, headers };
    const onward = secure ? sendHttps({ ...options, rejectUnauthorized: false }) : sendHttp(options);
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answered(answer, before));
      answer.pipe(response);
      answer.on("error", () => response.destroy());
      response.on("close", () => resolve());
    });
    onward.on("error", (error) => {
      if (response.headersSent) response.destroy();
      reject(unavailable(`error trying to reach service: ${error.message}`));
    });
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.test(name)));
}

/** A location from the service is relative to the proxy's own path. */
function answered({ headers }: IncomingMessage, before: string): IncomingHttpHeaders {
  const { location, ...others } = headers;
  const moved = location === undefined || !URL.canParse(location, "http://service") ? undefined : location;
  if (moved === undefined) return others;
  const { pathname, search } = new URL(moved, "http://service");
  return { ...others, location: `${before}${pathname}${search}` };
}

function unavailable(message: string): ApiError {
  return new ApiError(503, "ServiceUnavailable", message);
}
