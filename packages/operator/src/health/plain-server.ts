import { createServer, type RequestListener } from "node:http";
import { KindlingError, messageOf, quotedName } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { closeServer, guardConnections, listen } from "@kindling/service";
import { LISTEN_ADDRESS_WANTED, listenAddress } from "./listen-address.ts";

/** What a path answers. */
export interface PlainAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export type PlainRoutes = Readonly<Record<string, () => PlainAnswer | Promise<PlainAnswer>>>;

// Requests are a line each, and whoever sends them asks again soon.
const SHORT_LIVED = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 };
// When all are taken, an idle one goes, so that whoever asks for health finds a place.
const LIMITS = { most: 64, mostPerClient: 32, isProxy: () => false };

/**
 * Serves a few pages in plain HTTP.
 *
 * @param address as Go writes it: `:8081`, `127.0.0.1:8081`, `[::1]:8081`
 * @param flag the flag that it comes from, for errors
 * @throws KindlingError `ARGUMENT_INVALID` for what is no address or cannot be listened on
 */
export async function startPlainServer(
  address: string,
  flag: string,
  routes: PlainRoutes,
  clock: Clock,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const place = listenAddress(address);
  if (place === undefined)
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `--${flag} has to be ${LISTEN_ADDRESS_WANTED}, and is ${quotedName(address)}`,
    );
  const server = createServer(SHORT_LIVED);
  const answerRequest: RequestListener = (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    const answer = (status: number, type: string, body: string): void => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
    };
    if (route === undefined) {
      answer(404, "text/plain", "not found\n");
      return;
    }
    Promise.resolve()
      .then(route)
      .then(
        ({ status, contentType, body }) => answer(status, contentType, body),
        (error: unknown) => answer(500, "text/plain", `${messageOf(error)}\n`),
      );
  };
  guardConnections(server, { request: answerRequest }, { limits: LIMITS, clock, onCut: () => undefined });
  try {
    return { port: await listen(server, place.host, place.port), stop: () => closeServer(server) };
  } catch (cause) {
    const message = `--${flag}: cannot listen on ${quotedName(address)}: ${messageOf(cause)}`;
    throw new KindlingError("ARGUMENT_INVALID", message, { cause });
  }
}
