import { parseJsonAnswer } from "../answers/malformed.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import type { ResourceType } from "../resource-type.ts";
import { systemClock } from "@kindling/outside";
import { createTransport } from "../transport/transport.ts";
import { listAll, listPages, type KubeList, type ListPage } from "../watch/list-pages.ts";
import { watch } from "../watch/watch.ts";
import { discovery } from "./discovery.ts";
import { objectCalls } from "./object-calls.ts";
import type { WatchEvent } from "../watch/watch-event.ts";
import type { LogStream } from "./logs.ts";
import type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  KubeClientOptions,
  ListOptions,
  LogOptions,
  PatchKind,
  RetryPolicy,
  Selection,
  WatchOptions,
  WriteOptions,
} from "./options.ts";

/** A request that the typed calls do not cover. */
export interface RawRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From `/api` or `/apis` on, with its query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Longest answer accepted; default 16 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Calls to one API server over a pool of kept-alive connections. All reject with a `KubeError`. Requests are repeated
 * on 429, 5xx and broken connections where that cannot do harm: everything but a create that may have been carried out.
 *
 * An answer counts only if it is what was asked for: the object of that kind and name, a list of that kind, a well-formed
 * event. Anything else is an error of kind `protocol`, and after a write one that says that it may have happened.
 */
export interface KubeClient {
  readonly access: ClusterAccess;
  /** Namespace of calls that name none. */
  readonly namespace: string;

  get<T extends KubeObject>(type: ResourceType<T>, name: string, options?: GetOptions): Promise<T>;
  create<T extends KubeObject>(type: ResourceType<T>, object: KubeObject, options?: WriteOptions): Promise<T>;
  /** Server-side apply: creates the object or takes its fields over. `metadata.name` is required. */
  apply<T extends KubeObject>(type: ResourceType<T>, object: KubeObject, options: ApplyOptions): Promise<T>;
  /** PUT: fails with 409 when `metadata.resourceVersion` is set and no longer the current one. */
  replace<T extends KubeObject>(type: ResourceType<T>, object: KubeObject, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    kind: PatchKind,
    patch: unknown,
    options?: WriteOptions,
  ): Promise<T>;
  delete(type: ResourceType, name: string, options?: DeleteOptions): Promise<void>;
  /** Deletes what is selected; one by one where the server cannot delete this kind as a collection. */
  deleteCollection(type: ResourceType, options?: DeleteCollectionOptions): Promise<void>;

  /** Page after page. */
  list<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): AsyncIterable<ListPage<T>>;
  listAll<T extends KubeObject>(type: ResourceType<T>, options?: ListOptions): Promise<KubeList<T>>;
  /**
   * One watch: ends when the server ends it, as it does every few minutes; throws where it breaks (`isExpired(error)`
   * means: list again). A reflector keeps watching for ever.
   */
  watch<T extends KubeObject>(type: ResourceType<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** Rejects with status 400 while the container has not started. */
  logs(pod: string, options?: LogOptions): Promise<LogStream>;

  /** The resource type of a kind as objects name it, asking the API server about groups that are not built in. */
  resourceFor(apiVersion: string, kind: string, options?: CallOptions): Promise<ResourceType>;
  /** Any request; the answer parsed from JSON, and nothing else of it looked at: `T` is the caller's own claim. */
  request<T = unknown>(request: RawRequest): Promise<T>;
  /** Ends all connections and what is under way. */
  close(): void;
}

const DEFAULT_RETRY: RetryPolicy = { limit: 4, baseMs: 100, capMs: 5_000 };

/** Opens no connection before the first call. */
export function createKubeClient(access: ClusterAccess, options: KubeClientOptions = {}): KubeClient {
  const namespace = options.namespace ?? access.namespace ?? "default";
  const random = options.random ?? Math.random;
  const clock = options.clock ?? systemClock;
  const transport = createTransport(access, {
    userAgent: options.userAgent ?? "kindling-kube",
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    maxInFlight: options.maxInFlight ?? 64,
    rateLimit: options.rateLimit,
    retry: { ...DEFAULT_RETRY, ...options.retry },
    clock,
    random,
  });
  const scopeOf = (selection: Selection): string | undefined =>
    selection.allNamespaces === true ? undefined : (selection.namespace ?? namespace);

  async function request<T>(raw: RawRequest): Promise<T> {
    const body = raw.body === undefined ? undefined : JSON.stringify(raw.body);
    const repeatable = raw.method === "POST" ? "unless-done" : "always";
    return parseJsonAnswer(raw, await transport.send({ ...raw, body, repeatable })) as T;
  }

  const client: KubeClient = {
    access,
    namespace,
    ...objectCalls(transport, namespace),
    async deleteCollection(type, options = {}) {
      const { deleteCollection } = await import("./delete-collection.ts");
      await deleteCollection(client, transport, type, scopeOf(options), options);
    },
    list: (type, options = {}) => listPages(transport, type, scopeOf(options), options, clock),
    listAll: (type, options = {}) => listAll(client.list(type, options)),
    watch: (type, options = {}) => watch(transport, type, scopeOf(options), options, clock, random),
    async logs(pod, options = {}) {
      const { openLogs } = await import("./logs.ts");
      return openLogs(transport, options.namespace ?? namespace, pod, options);
    },
    resourceFor: discovery(transport),
    request,
    close: () => transport.close(),
  };
  return client;
}
