import { KindlingError, type MainApplication } from "@kindling/core-spec";
import { NO_RESOURCE } from "@kindling/steps";

/** The kind of application that a resource is: decided by its name, as in spark-submit. */
export function mainApplicationOf(resource: string, mainClass: string | undefined): MainApplication {
  if (resource.endsWith(".py"))
    return { language: "python", resource, mainClass: "org.apache.spark.deploy.PythonRunner" };
  if (/\.[rR]$/.test(resource)) return { language: "r", resource, mainClass: "org.apache.spark.deploy.RRunner" };
  if (mainClass === undefined) {
    throw new KindlingError(
      "ARGUMENT_INVALID",
      `${resource}: its main class is unknown; please specify one with --class`,
    );
  }
  return { language: "java", resource: resource === NO_RESOURCE ? undefined : resource, mainClass };
}
