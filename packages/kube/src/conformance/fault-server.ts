import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ListFault, WatchFault } from "./faults.ts";
import { createPodHistory, podObject, type PodHistory } from "./pod-history.ts";
import { startWatchConnection, type WatchConnection } from "./watch-connection.ts";

/** A request as the server saw it. */
export interface SeenRequest {
  readonly kind: "list" | "watch" | "other";
  readonly query: URLSearchParams;
}

/**
 * A server that lists and watches the pods of namespace `default` over plain HTTP as the API server does, and fails on
 * command. For tests of clients.
 */
export interface FaultServer {
  readonly url: string;
  readonly history: Pick<PodHistory, "pods" | "resourceVersion">;
  /** All requests so far, in order. */
  readonly requests: readonly SeenRequest[];
  readonly openWatches: number;
  /** Creates or changes a pod; answers its resource version. */
  put(name: string, value: string): string;
  remove(name: string): void;
  /** Forgets what has happened: watches and continue tokens from before get 410. */
  forget(): void;
  /** Sends a bookmark with the newest resource version to all watches that asked for bookmarks. */
  bookmark(): string;
  /** Ends all watches properly. */
  endWatches(): void;
  /** Breaks the connections of all watches. */
  resetWatches(): void;
  /** The next lists fail with these faults, one each; later lists do not fail. */
  failLists(...faults: ListFault[]): void;
  failWatches(...faults: WatchFault[]): void;
  /** Refuses connections until `resume()`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFaultServer(): Promise<FaultServer> {
  const history = createPodHistory();
  const requests: SeenRequest[] = [];
  const watches = new Set<WatchConnection>();
  const listFaults: ListFault[] = [];
  const watchFaults: WatchFault[] = [];

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://server");
    const kind = kindOf(request.method, url);
    requests.push({ kind, query: url.searchParams });
    if (kind === "list") list(url.searchParams, response);
    else if (kind === "watch") watch(url.searchParams, response);
    else sendStatus(response, 404);
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const fault = listFaults.shift();
    if (fault?.kind === "reset") response.socket?.resetAndDestroy();
    else if (fault?.kind === "text") response.end(fault.text);
    else if (fault !== undefined) sendStatus(response, fault.status, fault.retryAfterSeconds);
    else sendPage(history, query, response);
  }

  function watch(query: URLSearchParams, response: ServerResponse): void {
    const fault = watchFaults.shift();
    const from = Number(query.get("resourceVersion") ?? "0");
    if (fault?.kind === "reset") response.socket?.resetAndDestroy();
    else if (fault?.kind === "status") sendStatus(response, fault.status, fault.retryAfterSeconds);
    else if (from > 0 && from < history.oldest) sendStatus(response, 410);
    else {
      const wantsBookmarks = query.get("allowWatchBookmarks") === "true";
      const connection = startWatchConnection(response, wantsBookmarks, history.resourceVersion, fault);
      watches.add(connection);
      response.on("close", () => watches.delete(connection));
      const missed =
        from > 0 ? history.since(from) : [...history.pods.values()].map((pod) => ({ type: "ADDED", pod }) as const);
      for (const event of missed) connection.send(event);
    }
  }

  let server = await listen(createServer(serve), 0);
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    history,
    requests,
    get openWatches() {
      return watches.size;
    },
    put(name, value) {
      const event = history.put(name, value);
      for (const connection of watches) connection.send(event);
      return String(event.pod.resourceVersion);
    },
    remove(name) {
      const event = history.remove(name);
      for (const connection of watches) connection.send(event);
    },
    forget: () => history.forget(),
    bookmark() {
      for (const connection of watches) connection.bookmark(history.resourceVersion);
      return String(history.resourceVersion);
    },
    endWatches() {
      for (const connection of watches) connection.end();
    },
    resetWatches() {
      for (const connection of watches) connection.reset();
    },
    failLists: (...faults) => void listFaults.push(...faults),
    failWatches: (...faults) => void watchFaults.push(...faults),
    pause: () => close(server),
    async resume() {
      server = await listen(createServer(serve), port);
    },
    stop: () => close(server),
  };
}

function kindOf(method: string | undefined, url: URL): SeenRequest["kind"] {
  const isCollection = /^\/api\/v1(\/namespaces\/default)?\/pods$/.test(url.pathname);
  if (method !== "GET" || !isCollection) return "other";
  return /^(true|1)$/.test(url.searchParams.get("watch") ?? "") ? "watch" : "list";
}

/** Continue tokens hold the list's resource version and the index of the next pod. */
function sendPage(history: PodHistory, query: URLSearchParams, response: ServerResponse): void {
  const limit = Number(query.get("limit") ?? "0");
  const [version, start = 0] = (query.get("continue") ?? "").split(":").map(Number);
  const isContinued = query.has("continue");
  if (isContinued && (version ?? 0) < history.oldest) {
    sendStatus(response, 410);
    return;
  }
  const pods = [...history.pods.values()];
  const end = limit > 0 ? start + limit : pods.length;
  const resourceVersion = isContinued ? (version ?? 0) : history.resourceVersion;
  sendJson(response, 200, {
    apiVersion: "v1",
    kind: "PodList",
    metadata: {
      resourceVersion: String(resourceVersion),
      ...(end < pods.length ? { continue: `${resourceVersion}:${end}` } : {}),
    },
    items: pods.slice(start, end).map(podObject),
  });
}

function sendStatus(response: ServerResponse, code: number, retryAfterSeconds?: number): void {
  if (retryAfterSeconds !== undefined) response.setHeader("retry-after", retryAfterSeconds);
  const reason = code === 410 ? "Expired" : "InternalError";
  sendJson(response, code, {
    apiVersion: "v1",
    kind: "Status",
    status: "Failure",
    code,
    reason,
    message: "as ordered",
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function listen(server: Server, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
