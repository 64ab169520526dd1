import type { Api } from "@kindling/api-server";
import type { EventRecorder } from "./event-recorder.ts";

/** What a controller works with. */
export interface ControllerContext {
  readonly api: Api;
  readonly events: EventRecorder;
}

/** A loop that brings the cluster from what is to what shall be. */
export interface Controller {
  /** Looks at what is there and follows the changes. */
  start(): void;
  stop(): void;
}
