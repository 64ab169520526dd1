import type { DriverSpec, ExecutorSpec, SparkApplication, SparkApplicationSpec } from "@kindling/spark-application";
import { aSparkApplication } from "@kindling/spark-application/testing";

/** An application with these parts and the required fields. */
export function application(
  driver: DriverSpec = {},
  executor: ExecutorSpec = {},
  spec: Partial<SparkApplicationSpec> = {},
): SparkApplication {
  const built = aSparkApplication().in("spark").uid("6a1c3f2e-0000-4000-8000-000000000001");
  return built.driver(driver).executor(executor).spec(spec).build();
}
