import { findApplication, parseApplicationName } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { ApplicationRecord } from "../applications/application-record.ts";
import type { ServiceContext } from "./service-context.ts";

/** What a request calls an application. */
export interface WantedApplication {
  readonly namespace: string;
  /** Of its driver pod; its application id or submission id. */
  readonly name: string;
}

/**
 * Reads `namespace:name` or `name`.
 *
 * @param namespace for a name that says none
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function wantedApplication(
  { submissions }: Pick<ServiceContext, "submissions">,
  id: string,
  namespace: string | undefined,
): WantedApplication {
  const parsed = parseApplicationName(id);
  return { namespace: submissions.servedNamespace(parsed.namespace ?? namespace), name: parsed.name };
}

/** The application as the watches know it; undefined for one that they do not. */
export function knownApplication(
  { applications }: Pick<ServiceContext, "applications">,
  { namespace, name }: WantedApplication,
): ApplicationRecord | undefined {
  return applications.find(namespace, name);
}

/**
 * The driver pod of an application, from the API server itself: watches may be a moment late.
 *
 * @throws KindlingError `OBJECT_NOT_FOUND`, KubeError
 */
export async function driverPodOf(context: ServiceContext, wanted: WantedApplication): Promise<Pod> {
  const name = knownApplication(context, wanted)?.driverPod ?? wanted.name;
  return await findApplication(context.client, { namespace: wanted.namespace, name, isPattern: false });
}
