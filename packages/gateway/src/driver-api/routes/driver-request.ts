import type { Exchange, ResourceTarget, ResourceType } from "@kindling/api-server";
import type { Application } from "../../views/applications/application.ts";
import type { DriverBody } from "../memory/driver-body.ts";
import type { Mirror } from "../../views/mirror.ts";

/** A write that a driver asks for, with all that is known of it. */
export interface DriverRequest {
  readonly exchange: Exchange;
  readonly target: ResourceTarget;
  readonly application: Application;
  readonly type: ResourceType;
  /** The objects of the type in the driver's view; undefined for those that are not shown. */
  readonly mirror: Mirror | undefined;
  readonly body: DriverBody;
}
