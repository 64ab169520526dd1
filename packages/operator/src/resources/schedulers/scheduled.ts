import type { SparkApplication } from "@kindling/spark-application";
import type { OwnedObject } from "../owned-object.ts";

/** An application as its batch scheduler wants it, with what the scheduler needs beside it. */
export interface Scheduled {
  readonly application: SparkApplication;
  readonly objects: readonly OwnedObject[];
}
