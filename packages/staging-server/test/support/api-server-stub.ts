import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { tell, type HistoryEvent, type Stored, type Watch } from "./stub-watches.ts";

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
  /** Answers 403 for a collection from now on; open watches break. */
  forbid(collection: string): void;
  /** Collections for which it answers 403; open watches stay open. */
  readonly refused: Set<string>;
  /** Parts of paths that it does not serve, as older versions do not. */
  readonly unserved: Set<string>;
  /** Lets something else answer all requests; all connections break. `undefined`: it answers itself again. */
  replaceBy(impostor: Impostor | undefined): void;
  /** Answers a request that was sent elsewhere. */
  readonly answer: Impostor;
}

/** Whatever answers at an API server's address without being it. */
export type Impostor = (request: IncomingMessage, response: ServerResponse) => void;

interface TokenUser {
  readonly username: string;
  readonly createPodsIn: readonly string[];
  readonly deletePods?: boolean;
  /** Default: that of staging servers; `null`: its authenticator knows nothing of audiences. */
  readonly audience?: string | null;
}

/** @param oldest the resource version that its history begins with: those of clusters have nothing to do with each other */
export async function apiServerStub(oldest = 100): Promise<ApiServerStub> {
  const objects = new Map<string, Map<string, Stored>>();
  const leases = new Map<string, { metadata: { resourceVersion: string } }>();
  const watches = new Set<Watch>();
  const users = new Map<string, TokenUser>();
  const requests: string[] = [];
  const missingNamespaces = new Set<string>();
  const forbidden = new Set<string>();
  const unserved = new Set<string>();
  const clusterId = randomUUID();
  let impostor: Impostor | undefined;
  let failure: number | undefined;
  const history: HistoryEvent[] = [];
  let version = oldest;

  function send(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
  function refuse(response: ServerResponse, code: number, reason: string, details: object = {}): void {
    const status = { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message: reason, details };
    send(response, code, status);
  }

  function collection(url: URL, name: string, response: ServerResponse): void {
    const selector = url.searchParams.get("labelSelector") ?? "";
    const items = [...(objects.get(name)?.values() ?? [])].filter(
      (each) => selector === "" || selector in each.metadata.labels,
    );
    if (url.searchParams.get("watch") === null) {
      const [, group = "api"] = /^\/(api|apis\/[^/]+)\//.exec(url.pathname) ?? [];
      const apiVersion = group === "api" ? "v1" : url.pathname.split("/").slice(2, 4).join("/");
      send(response, 200, { kind: listKind(name), apiVersion, metadata: { resourceVersion: String(version) }, items });
      return;
    }
    const from = Number(url.searchParams.get("resourceVersion") ?? "0");
    if (from > 0 && from < oldest) return refuse(response, 410, "Expired");
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const watch = { collection: name, selector, response };
    watches.add(watch);
    for (const event of history) if (event.version > from) tell([watch], event);
    response.on("close", () => watches.delete(watch));
  }

  function one(collection: string, name: string, response: ServerResponse): void {
    const object = objects.get(collection)?.get(name);
    if (object !== undefined) return send(response, 200, { kind: "Pod", apiVersion: "v1", ...object });
    return refuse(response, 404, "NotFound", { kind: collection.split("/")[1], name });
  }

  function lease(
    request: IncomingMessage,
    name: string,
    body: { metadata: { name: string; resourceVersion?: string } } | undefined,
    response: ServerResponse,
  ): void {
    const key = request.method === "POST" ? `${name}/${body?.metadata.name}` : name;
    const stored = leases.get(key);
    if (request.method === "GET") {
      const details = { kind: "leases", group: "coordination.k8s.io", name: name.split("/").at(-1) };
      return stored === undefined ? refuse(response, 404, "NotFound", details) : send(response, 200, stored);
    }
    if (request.method === "POST" && stored !== undefined) return refuse(response, 409, "AlreadyExists");
    if (request.method === "PUT" && stored?.metadata.resourceVersion !== body?.metadata.resourceVersion)
      return refuse(response, 409, "Conflict");
    const next = { ...body, metadata: { uid: `uid-${key}`, ...body?.metadata, resourceVersion: String(++version) } };
    leases.set(key, next);
    return send(response, 200, next);
  }

  function review(body: { kind: string; spec: Record<string, unknown> }, response: ServerResponse): void {
    if (body.kind === "SelfSubjectReview") {
      send(response, 201, { ...body, status: { userInfo: { username: "staging", uid: `staging-${clusterId}` } } });
      return;
    }
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
    if (body.kind === "SelfSubjectAccessReview") return send(response, 201, { ...body, status: { allowed: true } });
    const { verb, namespace } = body.spec["resourceAttributes"] as { verb: string; namespace?: string };
    const user = [...users.values()].find(({ username }) => username === body.spec["user"]);
    const allowed =
      verb === "create"
        ? user?.createPodsIn.includes(namespace ?? "") === true
        : user?.deletePods === true && namespace === undefined;
    send(response, 201, { ...body, status: { allowed } });
  }

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (impostor === undefined) answer(request, response);
    else impostor(request, response);
  });

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://api");
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString()) as never);
      if ([...unserved].some((part) => url.pathname.includes(part)))
        return void response.writeHead(404).end("404 page not found");
      if (url.pathname === "/version") return send(response, 200, { major: "1", minor: "27", gitVersion: "v1.27.0" });
      if (failure !== undefined) return refuse(response, failure, failure === 403 ? "Forbidden" : "InternalError");
      const [, namespace] = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(url.pathname) ?? [];
      if (namespace !== undefined)
        return missingNamespaces.has(namespace)
          ? refuse(response, 404, "NotFound", { kind: "namespaces", name: namespace })
          : send(response, 200, {
              kind: "Namespace",
              apiVersion: "v1",
              metadata: { name: namespace, uid: `${namespace}-${clusterId}` },
            });
      if (url.pathname.includes("/leases")) return lease(request, url.pathname, body, response);
      if (request.method === "POST" && body !== undefined) return review(body, response);
      const [, place, plural, name] = /\/namespaces\/([^/]+)\/([a-z]+)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
      if (place === undefined || plural === undefined) return refuse(response, 404, "NotFound");
      if (forbidden.has(`${place}/${plural}`)) return refuse(response, 403, "Forbidden");
      if (name !== undefined) return one(`${place}/${plural}`, name, response);
      return collection(url, `${place}/${plural}`, response);
    });
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;

  function happened(name: string, type: string, object: Stored, previous: Stored | undefined): void {
    const event = { collection: name, type, object, previous, version };
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
    unserved,
    refused: forbidden,
    answer,
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
      happened(name, before === undefined ? "ADDED" : "MODIFIED", object, before);
      return uid;
    },
    remove(name, objectName) {
      const object = objects.get(name)?.get(objectName);
      if (object === undefined) throw new Error(`there is no ${name}/${objectName}`);
      objects.get(name)?.delete(objectName);
      const metadata = { ...object.metadata, resourceVersion: String(++version) };
      happened(name, "DELETED", { ...object, metadata }, object);
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
    replaceBy(other) {
      impostor = other;
      server.closeAllConnections();
    },
  };
}

function listKind(collection: string): string {
  return collection.endsWith("/pods") ? "PodList" : "SparkApplicationList";
}
