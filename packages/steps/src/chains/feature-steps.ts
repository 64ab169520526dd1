import { confKey, confType, KindlingError, type ConfKey, type SparkConf, type Step } from "@kindling/core-spec";
import { volcano } from "../steps/volcano.ts";
import { CHAIN, type ChainRow } from "./chain.ts";

const PACKAGE = "org.apache.spark.deploy.k8s.features";
const VOLCANO_CLASS = `${PACKAGE}.VolcanoFeatureStep`;

type Role = "driver" | "executor";

function stepsKey(
  role: Role,
  kind: "featureSteps" | "excludedFeatureSteps",
  since: string,
  doc: string,
): ConfKey<readonly string[]> {
  return confKey({
    key: `spark.kubernetes.${role}.pod.${kind}`,
    type: confType.list,
    default: "",
    since,
    readBy: [role === "driver" ? "submit" : "executor"],
    doc,
  });
}

export const DRIVER_FEATURE_STEPS: ConfKey<readonly string[]> = stepsKey(
  "driver",
  "featureSteps",
  "3.2.0",
  `Classes of further steps for the driver pod. Of these, Kindling knows only ${VOLCANO_CLASS}. Name your own steps in spark.kindling.steps.`,
);
export const EXECUTOR_FEATURE_STEPS: ConfKey<readonly string[]> = stepsKey(
  "executor",
  "featureSteps",
  "3.2.0",
  "Classes of further steps for executor pods. The driver runs them, from its image.",
);
export const DRIVER_EXCLUDED_STEPS: ConfKey<readonly string[]> = stepsKey(
  "driver",
  "excludedFeatureSteps",
  "4.1.0",
  "Class names of built-in steps to leave out for the driver pod.",
);
export const EXECUTOR_EXCLUDED_STEPS: ConfKey<readonly string[]> = stepsKey(
  "executor",
  "excludedFeatureSteps",
  "4.1.0",
  "Class names of built-in steps to leave out for executor pods.",
);

/**
 * The steps of one role for a configuration: the chain of its Spark version, without the steps that the configuration
 * excludes by Spark's class names, and with the optional steps of Spark that it asks for.
 *
 * @throws KindlingError `UNSUPPORTED` on the driver's side for a class that only a JVM can run; executor classes are passed
 *   on, because the driver runs them
 */
export function selectSteps(conf: SparkConf, role: Role): Step[] {
  const { version } = conf;
  const excluded = new Set(
    version.has("excluded-feature-steps")
      ? conf.get(role === "driver" ? DRIVER_EXCLUDED_STEPS : EXECUTOR_EXCLUDED_STEPS)
      : [],
  );
  const builtIn = CHAIN.filter((row) => version.holds(row) && !excluded.has(className(row, role))).map(
    (row) => row.step,
  );
  return [...builtIn, ...requestedSteps(conf, role).filter(() => !excluded.has(VOLCANO_CLASS))];
}

function className(row: ChainRow, role: Role): string {
  return `${PACKAGE}.${(role === "driver" ? row.driverClass : row.executorClass) ?? ""}`;
}

function requestedSteps(conf: SparkConf, role: Role): Step[] {
  const key = role === "driver" ? DRIVER_FEATURE_STEPS : EXECUTOR_FEATURE_STEPS;
  return conf.get(key).flatMap((name) => {
    if (name === VOLCANO_CLASS && conf.version.has("volcano-in-stock-builds")) return [volcano];
    if (role === "executor") return [];
    throw new KindlingError("UNSUPPORTED", `${key.key}: ${name} is a JVM class, which cannot run here`, {
      hint: "write it as a step (a JavaScript module) and name that in --steps or spark.kindling.steps",
    });
  });
}
