import type { User } from "../../auth/user.ts";
import type { ApiFaults } from "../../faults/api-faults.ts";
import type { Api } from "../api.ts";
import type { Schema } from "../schema/types.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import type { Exchange } from "./exchange.ts";
import type { ResourceTarget } from "./request-target.ts";

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

/** Answers requests for a resource that stores nothing, such as reviews. */
export type ReviewHandler = (service: Service, exchange: Exchange, target: ResourceTarget) => Promise<void>;

/** What the routes are made of. */
export interface Service {
  readonly api: Api;
  readonly schema: Schema;
  readonly faults: ApiFaults;
  /** Says who makes a request; throws an ApiError 401 for credentials that are not good. */
  readonly authenticate: (exchange: Exchange) => User;
  /** Throws an ApiError 403 for what the user may not do. */
  readonly authorize: (user: User, attributes: Attributes) => void;
  /** By `<plural>.<group>/<subresource>`. */
  readonly subresources: ReadonlyMap<string, SubresourceHandler>;
  /** By `<plural>.<group>`. */
  readonly reviews: ReadonlyMap<string, ReviewHandler>;
  /** Answers what is no resource: discovery, health, version. False if the path is not its own. */
  readonly nonResource: (exchange: Exchange) => Promise<boolean>;
  /** Cuts a client's connection, known by its port. */
  readonly resetConnection: (remotePort: number | undefined) => void;
  /** Ends the open watches when the server stops. */
  readonly onShutdown: (end: () => void) => () => void;
}
