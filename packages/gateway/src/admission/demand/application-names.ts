import type { KubeObject } from "@kindling/kube-objects";
import { connectSessions, SPARK_APP_NAME_LABEL, SPARK_UI_TLS_PORT_NAME } from "@kindling/core-spec";
import type { DriverOverview } from "@kindling/gateway-client";
import type { ApplicationNames } from "../../console/overview/overview-of.ts";
import { memoryWords } from "../../healing/memory-record.ts";
import { objectsAt, textAt } from "../../json/fields.ts";
import { applicationIdOf } from "../../spark/spark-pod.ts";

/** The names of an application for people. */
export function namesOf(driver: KubeObject): ApplicationNames {
  const { name: pod, labels } = driver.metadata;
  const id = applicationIdOf(driver) ?? "";
  return {
    id,
    name: labels?.[SPARK_APP_NAME_LABEL] ?? id,
    driver: { pod, ...uiOf(driver) },
    isRunning: textAt(driver, "status", "phase") === "Running",
    ...memoryOf(driver),
    ...sessionsOf(driver),
  };
}

function memoryOf(driver: KubeObject): Pick<ApplicationNames, "memory"> {
  const memory = memoryWords(driver);
  return memory === undefined ? {} : { memory };
}

function sessionsOf({ metadata }: KubeObject): Pick<ApplicationNames, "connect"> {
  const connect = connectSessions(metadata);
  return connect === undefined ? {} : { connect };
}

/** Spark 3.5.6, BasicDriverFeatureStep: the driver's container names the port of the Spark UI. One with TLS leads to another. */
function uiOf(driver: KubeObject): Pick<DriverOverview, "uiPort" | "hasUiTls"> {
  const ports = objectsAt(driver, "spec", "containers").flatMap((container) => objectsAt(container, "ports"));
  const numberOf = (name: string): number | undefined => {
    const port = ports.find((one) => one["name"] === name)?.["containerPort"];
    return typeof port === "number" ? port : undefined;
  };
  const tlsPort = numberOf(SPARK_UI_TLS_PORT_NAME);
  if (tlsPort !== undefined) return { uiPort: tlsPort, hasUiTls: true };
  const uiPort = numberOf("spark-ui");
  return uiPort === undefined ? {} : { uiPort };
}
