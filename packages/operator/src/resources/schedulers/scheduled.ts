import type { SparkApplication } from "@kindling/spark-application";
import type { OwnedObject } from "../owned-object.ts";

/** An application as its batch scheduler needs it, with the objects that the scheduler needs. */
export interface Scheduled {
  readonly application: SparkApplication;
  readonly objects: readonly OwnedObject[];
}
