import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** As much of a Kubernetes API server as the staging server speaks with. */
export interface ApiServerStub {
  /** Text of a kubeconfig that leads here. */
  readonly kubeconfig: string;
  /** Paths of all requests so far, with their queries. */
  readonly requests: readonly string[];
  /** Creates or changes an object; `collection` is such as `default/pods`. */
  put(collection: string, name: string, object: { labels?: Record<string, string>; status?: unknown }): string;
  remove(collection: string, name: string): void;
  /** Answers everything with this status; `undefined`: works again. Open watches break. */
  fail(status: number | undefined): void;
  /** Ends all watches with 410 Gone. */
  expire(): void;
  /** Who a token belongs to, and where its owner may create pods. */
  allow(token: string, user: TokenUser): void;
  /** Namespaces that do not exist. */
  readonly missingNamespaces: Set<string>;
  /** Answers 403 for a collection from now on. */
  forbid(collection: string): void;
}

interface Stored {
  readonly metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    labels: Record<string, string>;
  };
  readonly status?: unknown;
}

interface Watch {
  readonly collection: string;
  readonly selector: string;
  readonly response: ServerResponse;
}

interface HistoryEvent {
  readonly collection: string;
  readonly type: string;
  readonly object: Stored;
  readonly version: number;
}

interface TokenUser {
  readonly username: string;
  readonly createPodsIn: readonly string[];
  readonly deletePods?: boolean;
  /** Default: that of staging servers; `null`: its authenticator knows nothing of audiences. */
  readonly audience?: string | null;
}

export async function apiServerStub(): Promise<ApiServerStub> {
  const objects = new Map<string, Map<string, Stored>>();
  const leases = new Map<string, { metadata: { resourceVersion: string } }>();
  const watches = new Set<Watch>();
  const users = new Map<string, TokenUser>();
  const requests: string[] = [];
  const missingNamespaces = new Set<string>();
  const forbidden = new Set<string>();
  let failure: number | undefined;
  const history: HistoryEvent[] = [];
  let version = 100;

  function send(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
  function refuse(response: ServerResponse, code: number, reason: string): void {
    send(response, code, { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message: reason });
  }

  function collection(url: URL, name: string, response: ServerResponse): void {
    const selector = url.searchParams.get("labelSelector") ?? "";
    const items = [...(objects.get(name)?.values() ?? [])].filter(
      (each) => selector === "" || selector in each.metadata.labels,
    );
    if (url.searchParams.get("watch") === null) {
      send(response, 200, { kind: "List", apiVersion: "v1", metadata: { resourceVersion: String(version) }, items });
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const watch = { collection: name, selector, response };
    watches.add(watch);
    const from = Number(url.searchParams.get("resourceVersion") ?? "0");
    for (const event of history) if (event.version > from) tell([watch], event);
    response.on("close", () => watches.delete(watch));
  }

  function lease(
    request: IncomingMessage,
    name: string,
    body: { metadata: { name: string; resourceVersion?: string } } | undefined,
    response: ServerResponse,
  ): void {
    const key = request.method === "POST" ? `${name}/${body?.metadata.name}` : name;
    const stored = leases.get(key);
    if (request.method === "GET")
      return stored === undefined ? refuse(response, 404, "NotFound") : send(response, 200, stored);
    if (request.method === "POST" && stored !== undefined) return refuse(response, 409, "AlreadyExists");
    if (request.method === "PUT" && stored?.metadata.resourceVersion !== body?.metadata.resourceVersion)
      return refuse(response, 409, "Conflict");
    const next = { ...body, metadata: { ...body?.metadata, resourceVersion: String(++version) } };
    leases.set(key, next);
    return send(response, 200, next);
  }

  function review(body: { kind: string; spec: Record<string, unknown> }, response: ServerResponse): void {
    if (body.kind === "TokenReview") {
      const user = users.get(String(body.spec["token"]));
      const audiences = (body.spec["audiences"] as string[] | undefined) ?? [];
      const { audience = "kindling-staging" } = user ?? {};
      const fits = audiences.length === 0 || audience === null || audiences.includes(audience);
      const status =
        user === undefined || !fits
          ? { authenticated: false }
          : {
              authenticated: true,
              user: { username: user.username, groups: ["g"] },
              ...(audience !== null && { audiences: [audience] }),
            };
      send(response, 201, { ...body, status });
      return;
    }
    const { verb, namespace } = body.spec["resourceAttributes"] as { verb: string; namespace?: string };
    const user = [...users.values()].find(({ username }) => username === body.spec["user"]);
    const allowed =
      verb === "create"
        ? user?.createPodsIn.includes(namespace ?? "") === true
        : user?.deletePods === true && namespace === undefined;
    send(response, 201, { ...body, status: { allowed } });
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://api");
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString()) as never);
      if (failure !== undefined) return refuse(response, failure, failure === 403 ? "Forbidden" : "InternalError");
      const [, namespace] = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(url.pathname) ?? [];
      if (namespace !== undefined)
        return missingNamespaces.has(namespace)
          ? refuse(response, 404, "NotFound")
          : send(response, 200, { kind: "Namespace" });
      if (url.pathname.includes("/leases")) return lease(request, url.pathname, body, response);
      if (request.method === "POST" && body !== undefined) return review(body, response);
      const [, place, plural] = /\/namespaces\/([^/]+)\/([a-z]+)$/.exec(url.pathname) ?? [];
      if (place === undefined || plural === undefined) return refuse(response, 404, "NotFound");
      if (forbidden.has(`${place}/${plural}`)) return refuse(response, 403, "Forbidden");
      return collection(url, `${place}/${plural}`, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;

  function tell(to: Iterable<Watch>, { collection: name, type, object }: HistoryEvent): void {
    for (const { collection: watched, selector, response } of to) {
      const concerned = watched === name && (selector === "" || selector in object.metadata.labels);
      if (concerned) response.write(`${JSON.stringify({ type, object })}\n`);
    }
  }

  function happened(name: string, type: string, object: Stored): void {
    const event = { collection: name, type, object, version };
    history.push(event);
    tell(watches, event);
  }

  return {
    kubeconfig: JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "stub",
      clusters: [{ name: "stub", cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name: "stub", user: {} }],
      contexts: [{ name: "stub", context: { cluster: "stub", user: "stub", namespace: "staging" } }],
    }),
    requests,
    missingNamespaces,
    put(name, objectName, { labels = {}, status }) {
      const stored = objects.get(name) ?? new Map<string, Stored>();
      objects.set(name, stored);
      const before = stored.get(objectName);
      const uid = before?.metadata.uid ?? `uid-${objectName}-${version}`;
      const metadata = {
        name: objectName,
        namespace: name.split("/")[0] ?? "",
        uid,
        resourceVersion: String(++version),
        labels,
      };
      const object: Stored = { metadata, ...(status !== undefined && { status }) };
      stored.set(objectName, object);
      happened(name, before === undefined ? "ADDED" : "MODIFIED", object);
      return uid;
    },
    remove(name, objectName) {
      const object = objects.get(name)?.get(objectName);
      if (object === undefined) throw new Error(`there is no ${name}/${objectName}`);
      objects.get(name)?.delete(objectName);
      happened(name, "DELETED", { ...object, metadata: { ...object.metadata, resourceVersion: String(++version) } });
    },
    fail(status) {
      failure = status;
      if (status !== undefined) for (const { response } of watches) response.destroy();
    },
    expire() {
      version += 10;
      const ended = [...watches];
      watches.clear();
      for (const { response } of ended) {
        const object = {
          kind: "Status",
          apiVersion: "v1",
          status: "Failure",
          code: 410,
          reason: "Expired",
          message: "too old",
        };
        response.end(`${JSON.stringify({ type: "ERROR", object })}\n`);
      }
    },
    forbid(name) {
      forbidden.add(name);
      for (const { collection: watched, response } of watches) if (watched === name) response.destroy();
    },
    allow: (token, user) => void users.set(token, user),
  };
}
