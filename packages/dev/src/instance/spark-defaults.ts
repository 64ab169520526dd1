import { formatProperties } from "@kindling/core-spec";
import type { StatePaths } from "../state/state-paths.ts";
import { DRIVER_ACCOUNT, NAMESPACE } from "./driver-account.ts";
import { LOCALIZER_IMAGE } from "./image-sources.ts";

export interface SparkDefaultsOptions {
  readonly paths: StatePaths;
  readonly image: string;
  readonly stagingUri: string;
  /** The API server as drivers reach it. */
  readonly driverMaster: string;
}

/** The text of a `spark-defaults.conf` with which `kindling submit` needs no more flags than an application's own. */
export function sparkDefaults({ paths, image, stagingUri, driverMaster }: SparkDefaultsOptions): string {
  return formatProperties(
    {
      "spark.kubernetes.container.image": image,
      "spark.kubernetes.namespace": NAMESPACE,
      "spark.kubernetes.driver.master": driverMaster,
      "spark.kubernetes.authenticate.driver.serviceAccountName": DRIVER_ACCOUNT,
      "spark.kindling.staging.uri": stagingUri,
      "spark.kindling.staging.tokenFile": paths.stagingToken,
      "spark.kindling.localizer.image": LOCALIZER_IMAGE,
    },
    "Written by kindling dev at each start.",
  );
}
