import type { KubeObject } from "@kindling/kube-objects";
import { SPARK_APP_NAME_LABEL } from "@kindling/core-spec";
import type { ApplicationNames } from "../../console/overview/overview-of.ts";
import { objectsAt, textAt } from "../../json/fields.ts";
import { applicationIdOf } from "../../spark/spark-pod.ts";

/** The names of an application for people. */
export function namesOf(driver: KubeObject): ApplicationNames {
  const { name: pod, labels } = driver.metadata;
  const id = applicationIdOf(driver) ?? "";
  const uiPort = uiPortOf(driver);
  return {
    id,
    name: labels?.[SPARK_APP_NAME_LABEL] ?? id,
    driver: { pod, ...(uiPort !== undefined && { uiPort }) },
    isRunning: textAt(driver, "status", "phase") === "Running",
  };
}

/** Spark 3.5.6, BasicDriverFeatureStep: the driver's container names the port of the Spark UI. */
function uiPortOf(driver: KubeObject): number | undefined {
  const ports = objectsAt(driver, "spec", "containers").flatMap((container) => objectsAt(container, "ports"));
  const port = ports.find(({ name }) => name === "spark-ui")?.["containerPort"];
  return typeof port === "number" ? port : undefined;
}
