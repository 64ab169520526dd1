import type { MainApplication } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import { URI_LIST_KEYS } from "../access.ts";
import type { Configuration } from "./configure.ts";
import { resolveUris } from "./resolve-uri.ts";

/** The configuration as spark-submit passes it to the Kubernetes client (SparkSubmit.prepareSubmitEnvironment). */
export function submittedEntries(
  configuration: Configuration,
  application: MainApplication,
  server: string,
  clock: Clock,
): Record<string, string> {
  const entries: Record<string, string> = { ...configuration.entries };
  entries["spark.master"] = `k8s://${server}`;
  entries["spark.submit.deployMode"] = "cluster";
  entries["spark.app.submitTime"] ??= String(clock.now());
  // The driver's Service sets the host name, so the user's value is dropped without a message, as in spark-submit.
  delete entries["spark.driver.host"];
  if (application.language === "java") {
    const own = application.resource === undefined ? [] : [application.resource];
    entries["spark.jars"] = [...(entries["spark.jars"] ? [entries["spark.jars"]] : []), ...own].join(",");
  }
  entries["spark.submit.pyFiles"] ??= "";
  for (const key of URI_LIST_KEYS) {
    if (entries[key] !== undefined) entries[key] = resolveUris(entries[key], "/");
  }
  return entries;
}
