import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { pipeline, Readable } from "node:stream";
import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { guardConnections } from "./connections/connection-guard.ts";

/** The answer of a path. */
export interface PlainAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** By path. If a route throws, the answer has status 500. */
export type PlainRoutes = Readonly<Record<string, () => PlainAnswer | Promise<PlainAnswer>>>;

/** An answer with all header fields of its own. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** A stream is sent at the speed of its reader, and destroyed when the reader goes. */
  readonly body: string | Readable;
}

/** Answers a request; undefined for a path that it does not know. If it fails, the answer has status 500. */
export type Pages = (request: IncomingMessage) => PageAnswer | undefined | Promise<PageAnswer | undefined>;

export interface PlainServerOptions {
  readonly clock: Clock;
  readonly routes: PlainRoutes;
  /** Answers at other paths; default: 404. */
  readonly pages?: Pages | undefined;
  /**
   * How many connections there may be, of all clients and of one. When all are taken, the oldest idle one is closed, so that
   * health checks find a place. Default: 64, and 32 of one.
   */
  readonly connections?: { readonly most: number; readonly mostPerClient: number };
}

// Requests are short, and their clients ask again soon.
const SHORT_LIVED = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };
const CONNECTIONS = { most: 64, mostPerClient: 32 };

/** The answer of a successful health check. */
export const OK: PlainAnswer = { status: 200, contentType: "text/plain", body: "ok\n" };

const NOT_FOUND: PlainAnswer = { status: 404, contentType: "text/plain", body: "not found\n" };

/** A server of a few short answers in plain HTTP, such as health checks and metrics. It does not listen yet. */
export function plainServer({ clock, routes, pages, connections = CONNECTIONS }: PlainServerOptions): Server {
  const server = createServer(SHORT_LIVED);
  const request: RequestListener = (asked, response) => {
    const answer = ({ status, contentType, body }: PlainAnswer): void => {
      response.writeHead(status, { "content-type": contentType, "cache-control": "no-store" }).end(body);
    };
    const [path = ""] = (asked.url ?? "").split("?");
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    const fail = (error: unknown): void =>
      answer({ status: 500, contentType: "text/plain", body: `${messageOf(error)}\n` });
    if (route !== undefined) {
      Promise.resolve().then(route).then(answer, fail);
      return;
    }
    Promise.resolve()
      .then(() => pages?.(asked))
      .then((page) => {
        if (page === undefined) answer(NOT_FOUND);
        else send(page, asked, response);
      })
      .catch(fail);
  };
  guardConnections(
    server,
    { request },
    { limits: { ...connections, isProxy: () => false }, clock, onCut: () => undefined },
  );
  return server;
}

function send(page: PageAnswer, { method }: IncomingMessage, response: ServerResponse): void {
  const { status, body } = page;
  response.writeHead(status, headersOf(page));
  if (!(body instanceof Readable)) {
    response.end(body);
  } else if (method === "HEAD") {
    body.destroy();
    response.end();
  } else {
    // An answer whose source fails in the middle is cut, so that its reader does not take it for whole.
    pipeline(body, response, () => undefined);
  }
}

function headersOf({ headers }: PageAnswer): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
  );
}
