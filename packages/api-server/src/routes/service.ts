import type { User } from "../authentication/user.ts";
import type { ReviewKind } from "../discovery/served-resources.ts";
import type { Api } from "../operations/api.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import type { StoreEvent } from "../storage/event-log.ts";
import type { Exchange } from "./exchange.ts";
import type { RequestTarget, ResourceTarget } from "./request-target.ts";

/** What a request wants to do, in terms of authorisation. */
export type Attributes =
  | {
      readonly kind: "resource";
      readonly verb: string;
      readonly group: string;
      readonly version: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly kind: "path"; readonly verb: string; readonly path: string };

/** A request for a part of an object, such as a pod's log. */
export interface SubresourceRequest {
  readonly service: Service;
  readonly exchange: Exchange;
  readonly type: ResourceType;
  readonly target: ResourceTarget & { readonly name: string };
}

/** Answers requests for one subresource; throws an ApiError 405 for methods that it does not know. */
export type SubresourceHandler = (request: SubresourceRequest) => Promise<void> | void;

/** A resource that is only answered and never stored. */
export interface Review extends ReviewKind {
  readonly answer: (service: Service, exchange: Exchange, target: ResourceTarget) => Promise<void>;
}

/**
 * Gets a request before this server answers it; returns true if it has answered it or closed its connection. `verb` is in the
 * words of RBAC (`list`, `deletecollection`), or the method in lower case for paths that are not resources.
 */
export type Intercept = (exchange: Exchange, target: RequestTarget, verb: string) => Promise<boolean>;

/** Ways in which clients may see older data than the store has, as with the caches of a real server. */
export interface Staleness {
  /** How many writes old the lists are that do not ask for the newest state. */
  readonly listLag: () => number;
  /** Whether a watch must miss an event. */
  readonly hidesEvent: (type: ResourceType, event: StoreEvent) => boolean;
}

/** JSON that is not an object of the API, such as the keys with which an API server signs tokens. */
export interface ServedDocument {
  readonly mediaType: string;
  readonly json: object;
}

/** What a server serves, and the hooks that it calls. Everything except the API itself may be left out. */
export interface ServiceOptions {
  readonly api: Api;
  /** Gets each request first, before its user is known. */
  readonly arrived?: Intercept;
  /** Says who makes a request, or throws an ApiError 401 for invalid credentials. Default: all users are anonymous. */
  readonly authenticate?: (exchange: Exchange) => User | Promise<User>;
  /** Throws an ApiError 403 if the user may not do it. Default: everyone may do everything. */
  readonly authorize?: (user: User, attributes: Attributes) => void;
  /** A client's view of the store (`Api.sees`), or its own store. Default: all clients have the same. */
  readonly viewFor?: (exchange: Exchange) => Api;
  /** Gets each allowed request, and may answer some of them in another way, for example by asking another server. */
  readonly allowed?: Intercept;
  /** By `<plural>.<group>/<subresource>`; for the core group `<plural>./<subresource>`. */
  readonly subresources?: ReadonlyMap<string, SubresourceHandler>;
  /**
   * Told of each watch that is about to begin; the returned function is called when the watch is over. Throws an ApiError to
   * refuse a watch.
   */
  readonly watching?: (exchange: Exchange, type: ResourceType) => () => void;
  readonly reviews?: readonly Review[];
  readonly staleness?: Staleness;
  /** More documents that are served, by path. */
  readonly documents?: ReadonlyMap<string, ServedDocument>;
  /** The answer of `/version`. */
  readonly version?: Readonly<Record<string, string>>;
}

/** What the routes need for one request: `api` is the client's own view. */
export interface Service extends ServiceOptions {
  /** Answers discovery, OpenAPI, health and version; false if the path is none of them. */
  readonly nonResource: (exchange: Exchange) => boolean;
  /** Ends the open watches when the server stops. */
  readonly onShutdown: (end: () => void) => () => void;
}
