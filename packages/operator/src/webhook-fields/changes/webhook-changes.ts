import type { PodChanges } from "@kindling/core-spec";
import { combinedChanges } from "@kindling/steps";
import type { RoleFields } from "../role-fields.ts";
import { configMaps } from "./config-maps.ts";
import { containers } from "./containers.ts";
import { environment } from "./environment.ts";
import { lifecycle } from "./lifecycle.ts";
import { network } from "./network.ts";
import { owner } from "./owner.ts";
import { prometheus } from "./prometheus.ts";
import { resources } from "./resources.ts";
import { scheduling } from "./scheduling.ts";
import { security } from "./security.ts";
import { volumes } from "./volumes.ts";

/** In stock's order, which matters where one field has several sources. */
const CONCERNS: readonly ((given: RoleFields) => Partial<PodChanges>)[] = [
  owner,
  environment,
  configMaps,
  volumes,
  network,
  containers,
  scheduling,
  resources,
  prometheus,
  security,
  lifecycle,
];

/**
 * All that stock's mutating webhook does to a pod of a role (kubeflow/spark-operator v2.5.2,
 * internal/webhook/sparkpod_defaulter.go).
 *
 * @throws KindlingError `CONF_INVALID` for a memory limit that is no amount
 */
export function webhookChanges(given: RoleFields): PodChanges {
  return combinedChanges(CONCERNS.map((concern) => concern(given)));
}
