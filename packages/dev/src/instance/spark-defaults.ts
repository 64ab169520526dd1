import { formatProperties } from "@kindling/core-spec";
import type { StatePaths } from "../state/state-paths.ts";
import { DRIVER_ACCOUNT, NAMESPACE } from "./driver-account.ts";
import { LOCALIZER_IMAGE } from "./image-sources.ts";

/** Where drivers ask for executors: at the API server, with the address for drivers, or at a gateway. */
export type WhoAllocates =
  | { readonly kind: "driver"; readonly driverMaster: string }
  | { readonly kind: "gateway"; readonly gatewayUri: string; readonly pageUri: string };

export interface SparkDefaultsOptions {
  readonly paths: StatePaths;
  readonly image: string;
  readonly stagingUri: string;
  readonly executors: WhoAllocates;
}

/** The text of a `spark-defaults.conf` for `kindling submit`, so that only an application's own flags are needed. */
export function sparkDefaults({ paths, image, stagingUri, executors }: SparkDefaultsOptions): string {
  return formatProperties(
    {
      "spark.kubernetes.container.image": image,
      "spark.kubernetes.namespace": NAMESPACE,
      ...schedulerKeys(executors),
      "spark.kubernetes.authenticate.driver.serviceAccountName": DRIVER_ACCOUNT,
      "spark.kindling.staging.uri": stagingUri,
      "spark.kindling.staging.tokenFile": paths.stagingToken,
      "spark.kindling.localizer.image": LOCALIZER_IMAGE,
    },
    "Written by kindling dev at each start.",
  );
}

/** Where drivers get their executors. */
export function schedulerKeys(executors: WhoAllocates): Readonly<Record<string, string>> {
  if (executors.kind === "driver") return { "spark.kubernetes.driver.master": executors.driverMaster };
  return {
    "spark.kindling.scheduler": "gateway",
    "spark.kindling.scheduler.uri": executors.gatewayUri,
    "spark.kindling.scheduler.pageUri": executors.pageUri,
  };
}
