import { discardBody, type HttpRequest, type HttpResponse } from "@kindling/http";
import type { Readable } from "node:stream";
import { repeatedly, storeError, type StoreConnection } from "../connection.ts";
import { isObjectStoreError, ObjectStoreError } from "../object-store-error.ts";
import { dataNodeReach, type NameNodeAt } from "./data-node-reach.ts";
import type { Identity } from "./identity.ts";
import { refusal } from "./remote-exception.ts";

export interface NameNodesOptions {
  /** Base URLs of name nodes or gateways; with high availability, one of them is active. */
  readonly services: readonly URL[];
  /** Hosts that they may redirect to for the bytes, besides their own; see `dataNodeReach`. */
  readonly dataNodes: readonly string[];
  readonly identity: (service: URL) => Promise<Identity>;
  readonly connection: StoreConnection;
}

export interface HdfsCall {
  readonly method: HttpRequest["method"];
  readonly op: string;
  /** Absolute, not encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readable | Buffer;
  readonly signal?: AbortSignal | undefined;
}

/** Carries out one operation; rejects with an `ObjectStoreError` if it is no success. */
export type NameNodes = (call: HdfsCall) => Promise<HttpResponse>;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
// RFC 1035, 2.3.4, as a text.
const LONGEST_HOST = 253;

/**
 * Sends requests to the service that answered last, and to the others if that one is in standby or away.
 *
 * @param onAnswer called with the first answer to each request, to learn the server's time
 */
export function nameNodes(options: NameNodesOptions, onAnswer: (response: HttpResponse) => void): NameNodes {
  const { services, identity, connection } = options;
  const { transport } = connection;
  let active = 0;

  async function attempt(call: HdfsCall): Promise<HttpResponse> {
    const service = services[active % services.length];
    if (service === undefined) throw new ObjectStoreError("settings", "no WebHDFS service is given");
    const { query, headers } = await identity(service);
    const { method, signal } = call;
    const url = operationUrl(service, call, query);
    const first = await transport.send({ method, url, headers, signal });
    onAnswer(first);
    if (!REDIRECTS.has(first.status)) return await succeeded(call, first);
    return await succeeded(call, await atDataNode(call, first, headers));
  }

  async function succeeded(call: HdfsCall, response: HttpResponse): Promise<HttpResponse> {
    if (response.status < 300) return response;
    throw await refusal(`${call.op} ${call.path}`, response, connection);
  }

  /**
   * The second step of reading and writing: the bytes are at another server. This must be an expected server. It does not
   * get the identity that was sent to the first server: the name node has put everything that it needs into the address.
   */
  async function atDataNode(
    { method, body, signal }: HdfsCall,
    first: HttpResponse,
    headers: Identity["headers"],
  ): Promise<HttpResponse> {
    const { target, reach } = redirectTarget(first, options.dataNodes);
    discardBody(first);
    return await transport.send({
      method,
      url: target,
      headers: {
        ...(target.origin === first.url.origin && headers),
        ...(body !== undefined && { "content-type": "application/octet-stream" }),
      },
      body: body === undefined || Buffer.isBuffer(body) ? body : { length: undefined, open: () => body },
      signal,
      ...(reach !== "anywhere" && { reach }),
    });
  }

  return async (call) =>
    await repeatedly(connection, call.signal, async () => {
      try {
        return await attempt(call);
      } catch (error) {
        const failure = storeError(error);
        if (!isObjectStoreError(failure) || !failure.retryable) throw failure;
        active++;
        // A stream that was sent once cannot be sent again.
        throw isSpent(call.body) ? lasting(failure) : failure;
      }
    });
}

function operationUrl(service: URL, call: HdfsCall, identity: Identity["query"]): URL {
  const segments = call.path.split("/");
  if (segments.includes(".") || segments.includes("..")) {
    throw new ObjectStoreError("settings", `${call.path}: HDFS has no paths with a part "." or ".."`);
  }
  const url = new URL(service);
  const encoded = segments.map(encodeURIComponent).join("/");
  url.pathname = `${service.pathname.replace(/\/+$/, "")}/webhdfs/v1${encoded}`;
  url.search = new URLSearchParams({ op: call.op, ...call.query, ...identity }).toString();
  return url;
}

function redirectTarget(
  first: HttpResponse,
  dataNodes: readonly string[],
): { readonly target: URL; readonly reach: Exclude<ReturnType<typeof dataNodeReach>, "none"> } {
  const { url } = first;
  const { location = "" } = first.headers;
  const nameNode: NameNodeAt = {
    url,
    address: first.proxy === undefined ? first.body.socket.remoteAddress : undefined,
  };
  const refuse = (what: string): ObjectStoreError => {
    discardBody(first);
    return new ObjectStoreError("redirect", `${url.host} sends to ${what} for the bytes, which is not allowed`);
  };
  if (!URL.canParse(location)) throw refuse("no address");
  const target = new URL(location);
  if (target.protocol !== "https:" && target.protocol !== "http:")
    throw refuse("something that is no http or https URL");
  if (target.hostname.length > LONGEST_HOST) throw refuse("a host with a name that is too long");
  if (url.protocol === "https:" && target.protocol === "http:") throw refuse(`plain http at ${target.host}`);
  const reach = dataNodeReach(target, nameNode, dataNodes);
  if (reach === "none") throw refuse(target.host);
  return { target, reach };
}

function isSpent(body: HdfsCall["body"]): boolean {
  return body !== undefined && !Buffer.isBuffer(body) && (body.readableDidRead || body.destroyed);
}

function lasting({ fault, message, hint, status, code, cause }: ObjectStoreError): ObjectStoreError {
  return new ObjectStoreError(fault, message, { hint, status, code, cause });
}
