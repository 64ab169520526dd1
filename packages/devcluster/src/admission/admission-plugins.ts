import type { AdmissionPlugin, Store } from "@kindling/api-server";
import type { Random } from "@kindling/outside";
import { namespaceLifecycle } from "./namespace-lifecycle.ts";
import { defaultTolerations, priorityAdmission } from "./pod-defaults.ts";
import { resourceQuotaAdmission } from "./resource-quota.ts";
import { serviceAccountAdmission } from "./service-account.ts";
import { serviceAddresses } from "./service-addresses.ts";
import { volumeClaims } from "./volume-claims.ts";

/** The admission plugins in their order; the quota is charged last, when no other plugin can refuse the request any more. */
export function admissionPlugins(store: Store, random: Random, servicePrefix: string): AdmissionPlugin[] {
  return [
    namespaceLifecycle(store),
    serviceAccountAdmission(store, random),
    priorityAdmission(store),
    defaultTolerations,
    volumeClaims(store),
    serviceAddresses(store, servicePrefix),
    resourceQuotaAdmission(store),
  ];
}
