import type { User } from "../authentication/user.ts";
import type { ReviewKind } from "../discovery/served-resources.ts";
import type { Api } from "../operations/api.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import type { StoreEvent } from "../storage/event-log.ts";
import type { Exchange } from "./exchange.ts";
import type { RequestTarget, ResourceTarget } from "./request-target.ts";

/** What a request wants to do, as authorisation sees it. */
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

/** A resource that is asked and answered, never stored. */
export interface Review extends ReviewKind {
  readonly answer: (service: Service, exchange: Exchange, target: ResourceTarget) => Promise<void>;
}

/**
 * Sees a request before this server answers it; true if it has been answered, or cut off. `verb` is in the words of
 * roles (`list`, `deletecollection`), or the method in lower case for what is no resource.
 */
export type Intercept = (exchange: Exchange, target: RequestTarget, verb: string) => Promise<boolean>;

/** Ways in which clients may see less than the store has, as behind the caches of a real server. */
export interface Staleness {
  /** How many writes behind the present lists are that do not ask for the newest state. */
  readonly listLag: () => number;
  /** Whether a watch shall miss an event. */
  readonly hidesEvent: (type: ResourceType, event: StoreEvent) => boolean;
}

/** JSON that is no object of the API, such as the keys that an API server signs tokens with. */
export interface ServedDocument {
  readonly mediaType: string;
  readonly json: object;
}

/** What a server serves, and whom it asks. All but the API itself may be left out. */
export interface ServiceOptions {
  readonly api: Api;
  /** Sees each request first, when nothing is known of its user. */
  readonly arrived?: Intercept;
  /** Says who makes a request, or throws an ApiError 401 for credentials that are not good; all are anonymous. */
  readonly authenticate?: (exchange: Exchange) => User | Promise<User>;
  /** Throws an ApiError 403 for what the user may not do; everyone may do everything. */
  readonly authorize?: (user: User, attributes: Attributes) => void;
  /** The view of the store that a client has (`Api.sees`), or a store of its own; all have the same. */
  readonly viewFor?: (exchange: Exchange) => Api;
  /** Sees each request that is allowed, to answer some in another way: by asking another server, say. */
  readonly allowed?: Intercept;
  /** By `<plural>.<group>/<subresource>`; of the core group `<plural>./<subresource>`. */
  readonly subresources?: ReadonlyMap<string, SubresourceHandler>;
  /**
   * Told of each watch that is about to begin; what it returns is called when the watch is over. Throws an ApiError to
   * refuse one too many.
   */
  readonly watching?: (exchange: Exchange, type: ResourceType) => () => void;
  readonly reviews?: readonly Review[];
  readonly staleness?: Staleness;
  /** What else is served, by its path. */
  readonly documents?: ReadonlyMap<string, ServedDocument>;
  /** What `/version` answers. */
  readonly version?: Readonly<Record<string, string>>;
}

/** What the routes are made of, for one request: `api` is the client's own view. */
export interface Service extends ServiceOptions {
  /** Answers discovery, OpenAPI, health and version; false if the path is none of them. */
  readonly nonResource: (exchange: Exchange) => boolean;
  /** Ends the open watches when the server stops. */
  readonly onShutdown: (end: () => void) => () => void;
}
