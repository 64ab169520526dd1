import { formatProperties } from "@kindling/core-spec";
import type { StatePaths } from "../state/state-paths.ts";
import { DRIVER_ACCOUNT } from "./driver-account.ts";
import { LOCALIZER_IMAGE } from "./image-sources.ts";

/** The text of a `spark-defaults.conf` with which `kindling submit` needs no more flags than an application's own. */
export function sparkDefaults(paths: StatePaths, image: string, stagingUri: string): string {
  return formatProperties(
    {
      "spark.kubernetes.container.image": image,
      "spark.kubernetes.namespace": "default",
      "spark.kubernetes.authenticate.driver.serviceAccountName": DRIVER_ACCOUNT,
      "spark.kindling.staging.uri": stagingUri,
      "spark.kindling.staging.tokenFile": paths.stagingToken,
      "spark.kindling.localizer.image": LOCALIZER_IMAGE,
    },
    "Written by kindling dev at each start.",
  );
}
