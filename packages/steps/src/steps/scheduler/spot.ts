import {
  confKey,
  confType,
  optionalConfKey,
  SCHEDULER_SPOT_ANNOTATION,
  type ConfKey,
  type SparkConf,
} from "@kindling/core-spec";

const { boolean, checked, double, list } = confType;

/** The pods of an application that can be kept off spot nodes. */
const ON_DEMAND: readonly string[] = ["driver", "minExecutors"];

export const SPOT: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.kindling.spot",
  type: checked(double, (share) => share >= 0 && share <= 1, "a share from 0 to 1"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The share of executors that run on spot nodes, from 0 to 1, such as 0.7. If unset, as the gateway's queue says, or else nothing is asked of nodes.",
});

export const SPOT_ON_DEMAND: ConfKey<readonly string[]> = confKey({
  key: "spark.kindling.spot.onDemand",
  type: checked(list, (names) => names.every((name) => ON_DEMAND.includes(name)), `a list of ${ON_DEMAND.join(", ")}`),
  default: "driver,minExecutors",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "What runs on on-demand nodes in any case: driver, minExecutors (as many executors as the application needs for its start), both, or nothing.",
});

export const SPOT_FALLBACK: ConfKey<boolean> = confKey({
  key: "spark.kindling.spot.fallback",
  type: boolean,
  default: "true",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Whether executors run on nodes of the other kind as long as no node of their kind can be had. If not, they wait.",
});

/** These have no effect without a share. */
export const SPOT_DETAILS: readonly ConfKey<unknown>[] = [SPOT_ON_DEMAND, SPOT_FALLBACK];

/** What the gateway must know to keep the share; nothing if the application sets none. */
export function spotAnnotations(conf: SparkConf): Record<string, string> {
  const share = conf.get(SPOT);
  if (share === undefined) return {};
  const wish = { share, onDemand: conf.get(SPOT_ON_DEMAND), fallback: conf.get(SPOT_FALLBACK) };
  return { [SCHEDULER_SPOT_ANNOTATION]: JSON.stringify(wish) };
}
