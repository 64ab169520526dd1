import type { SparkConf } from "@kindling/core-spec";
import { PACKAGES_RESOLVE } from "../../keys/packages-keys.ts";
import { STAGING_URI } from "../../keys/staging-keys.ts";

/** Whether this machine, and not the driver, resolves packages. */
export function resolvesHere(conf: SparkConf): boolean {
  return (conf.get(PACKAGES_RESOLVE) ?? (conf.get(STAGING_URI) === undefined ? "driver" : "submitter")) === "submitter";
}
