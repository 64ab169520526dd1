import type { Duplex } from "node:stream";
import type { HttpTransport } from "@kindling/http";
import type { KubeObjectLike } from "@kindling/kube-objects";
import type { WatchEvent } from "../answers/watch-event.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import type { ResourceType } from "../resource-type.ts";
import type { KubeList, ListPage } from "./list-pages.ts";
import type { LogStream } from "./logs.ts";
import type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  LogOptions,
  PatchKind,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
import type { ServiceLimits } from "./services.ts";

/** A request that the typed calls do not cover. */
export interface RawRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From `/api` or `/apis` on, with its query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  /** The requested media type, which must be JSON; default `application/json`. */
  readonly accept?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Longest answer accepted; default 16 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Calls to one API server over a pool of kept-alive connections. All reject with a `KubeError`. Requests are repeated on 429,
 * 5xx and broken connections if that cannot do harm: all requests except a create that may have been carried out.
 *
 * An answer counts only if it is what was asked for: the object of that kind and name, a list of that kind, a well-formed
 * event. Anything else is an error of kind `protocol`; after a write, the error also says that the write may have happened.
 */
export interface KubeClient {
  readonly access: ClusterAccess;
  /** Namespace of calls that name none. */
  readonly namespace: string;

  get<T extends KubeObjectLike>(type: ResourceType<T>, name: string, options?: GetOptions): Promise<T>;
  create<T extends KubeObjectLike>(type: ResourceType<T>, object: KubeObjectLike, options?: WriteOptions): Promise<T>;
  /** Server-side apply: creates the object or takes its fields over. `metadata.name` is required. */
  apply<T extends KubeObjectLike>(type: ResourceType<T>, object: KubeObjectLike, options: ApplyOptions): Promise<T>;
  /** PUT: fails with 409 when `metadata.resourceVersion` is set and no longer the current one. */
  replace<T extends KubeObjectLike>(type: ResourceType<T>, object: KubeObjectLike, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObjectLike>(
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
  list<T extends KubeObjectLike>(type: ResourceType<T>, options?: ListOptions): AsyncIterable<ListPage<T>>;
  listAll<T extends KubeObjectLike>(type: ResourceType<T>, options?: ListOptions): Promise<KubeList<T>>;
  /**
   * One watch: ends when the server ends it, as it does every few minutes; throws if it breaks (`isExpired(error)` means:
   * list again). A reflector keeps watching for ever.
   */
  watch<T extends KubeObjectLike>(type: ResourceType<T>, options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** Rejects with status 400 while the container has not started. */
  logs(pod: string, options?: LogOptions): Promise<LogStream>;

  /**
   * A connection to a port of a pod, through the API server. Needs the right to create `pods/portforward`. It ends with the signal.
   */
  portForward(pod: string, port: number, options?: CallOptions): Promise<Duplex>;

  /** The resource type of a kind as objects name it, asking the API server about groups that are not built in. */
  resourceFor(apiVersion: string, kind: string, options?: CallOptions): Promise<ResourceType>;
  /**
   * HTTP to services through the API server's proxy, as `serviceTransport` does it, over the connections of this client. To close
   * it ends its own requests alone.
   */
  services(limits: ServiceLimits): HttpTransport;
  /** Any request. The answer is parsed from JSON but not checked: `T` is only what the caller says. */
  request<T = unknown>(request: RawRequest): Promise<T>;
  /** Ends all connections and running requests. */
  close(): void;
}
