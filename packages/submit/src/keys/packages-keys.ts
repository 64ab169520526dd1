import { confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

function ivyKey(key: string, doc: string): ConfKey<readonly string[] | undefined> {
  return optionalConfKey({ key, type: confType.list, since: "1.5.0", readBy: ["submit", "driver"], doc });
}

export const PACKAGES: ConfKey<readonly string[] | undefined> = ivyKey(
  "spark.jars.packages",
  "Maven coordinates group:artifact:version of jars for driver and executors. Their dependencies are included.",
);

export const PACKAGES_EXCLUDES: ConfKey<readonly string[] | undefined> = ivyKey(
  "spark.jars.excludes",
  "Jars that spark.jars.packages must leave out, as group:artifact.",
);

export const REPOSITORIES: ConfKey<readonly string[] | undefined> = ivyKey(
  "spark.jars.repositories",
  "Further Maven repositories for spark.jars.packages.",
);

export const PACKAGES_RESOLVE: ConfKey<"submitter" | "driver" | undefined> = optionalConfKey({
  key: "spark.kindling.packages.resolve",
  type: confType.oneOf("submitter", "driver"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Who resolves spark.jars.packages: the submitter, once, with the coursier or Maven of this machine, or each driver, as in Spark. If unset: the submitter if there is a staging server, else the driver.",
});

export const PACKAGES_KEYS: readonly ConfKey<unknown>[] = [PACKAGES, PACKAGES_EXCLUDES, REPOSITORIES, PACKAGES_RESOLVE];
