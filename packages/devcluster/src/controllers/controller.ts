import type { Api } from "@kindling/api-server";
import type { EventRecorder } from "./event-recorder.ts";

/** What a controller needs. */
export interface ControllerContext {
  readonly api: Api;
  readonly events: EventRecorder;
}

/** A loop that brings the cluster from its current state to the desired state. */
export interface Controller {
  /** Reads the existing objects and follows the changes. */
  start(): void;
  stop(): void;
}
