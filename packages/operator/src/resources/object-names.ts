import { createHash, getFips } from "node:crypto";
import { DNS_LABEL_MAX_LENGTH } from "@kindling/core-spec";

/**
 * The names of the objects that stock makes for an application (kubeflow/spark-operator v2.5.2,
 * pkg/util/sparkapplication.go).
 */

export function uiServiceName(application: string): string {
  return labelName(application, "ui-svc");
}

export function uiIngressName(application: string): string {
  return labelName(application, "ui-ingress");
}

/** Stock does not shorten it, so that the API server refuses it if it is long. */
export function driverServiceName(application: string, port: number): string {
  return labelName(application, `driver-${port}`);
}

export function driverIngressName(application: string, port: number): string {
  return `${application}-ing-${port}`;
}

export function prometheusConfigMapName(application: string): string {
  return `${application}-prom-conf`;
}

export function volcanoPodGroupName(application: string): string {
  return `spark-${application}-pg`;
}

/** The name is a label's value too. Stock does not shorten it, so that the API server refuses pods if it is long. */
export function schedulerPluginsPodGroupName(application: string): string {
  return labelName(application, "pg");
}

const HASH_LENGTH = 8;

/** A name that is a DNS label. If it is too long, a part of its MD5 sum replaces the end of the application's name. */
function labelName(application: string, suffix: string): string {
  const name = `${application}-${suffix}`;
  if (name.length <= DNS_LABEL_MAX_LENGTH) return name;
  // FIPS forbids MD5, and then there is no stock operator beside this one whose names would matter.
  const hash = createHash(getFips() === 1 ? "sha256" : "md5")
    .update(name)
    .digest("hex")
    .slice(0, HASH_LENGTH);
  const room = DNS_LABEL_MAX_LENGTH - suffix.length - HASH_LENGTH - "--".length;
  return `${application.slice(0, room)}-${hash}-${suffix}`;
}
