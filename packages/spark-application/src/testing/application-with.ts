import type { SparkApplication, SparkApplicationSpec } from "../spark-application.ts";
import { aSparkApplication } from "./a-spark-application.ts";

/** An application that nothing is wrong with, with some of its spec as wished. */
export function applicationWith(spec: Partial<SparkApplicationSpec>, name = "pi"): SparkApplication {
  return aSparkApplication(name).spec(spec).build();
}
