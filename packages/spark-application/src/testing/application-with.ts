import type { SparkApplicationSpec } from "../spec/application-spec.ts";
import type { SparkApplication } from "../spark-application.ts";
import { aSparkApplication } from "./a-spark-application.ts";

/** A valid application, with some fields of its spec replaced. */
export function applicationWith(spec: Partial<SparkApplicationSpec>, name = "pi"): SparkApplication {
  return aSparkApplication(name).spec(spec).build();
}
