import { confType, optionalConfKey, type ConfKey, type SparkConf, type Step } from "@kindling/core-spec";
import { changingStep } from "../pod-changes/changing-step.ts";
import { NO_CHANGES } from "../pod-changes/combined-changes.ts";

const { bytes, checked } = confType;

export const EPHEMERAL_STORAGE: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.kindling.ephemeralStorage",
  type: checked(bytes("m"), (size) => size > 0, "a size greater than 0, such as 20g"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "How much of its node's disk each pod of the application gets for local directories, logs and files that it writes: the request and the limit of ephemeral-storage of Spark's containers. A pod that takes more is evicted. If unset, nothing is asked for, and a full node evicts pods.",
});

/**
 * Asks for room on the node's disk. The API server makes the request as large as the limit, because none is set. Spark has no key
 * for it.
 *
 * @returns `undefined` if the application asks for none
 */
export function ephemeralStorage(conf: SparkConf): Step | undefined {
  const size = conf.get(EPHEMERAL_STORAGE);
  if (size === undefined) return undefined;
  const changes = { ...NO_CHANGES, limits: { "ephemeral-storage": `${size}Mi` } };
  return changingStep("ephemeral-storage", { driver: changes, executor: changes });
}
