import { findApplication, parseApplicationName } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { ApplicationRecord } from "../applications/application-record.ts";
import type { ServiceContext } from "./service-context.ts";

/** The name of an application in a request. */
export interface WantedApplication {
  readonly namespace: string;
  /** The name of its driver pod, its application id or its submission id. */
  readonly name: string;
}

/**
 * Reads `namespace:name` or `name`.
 *
 * @param namespace for a name without a namespace
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

/** The application as the watches reported it; undefined if they did not report it. */
export function knownApplication(
  { applications }: Pick<ServiceContext, "applications">,
  { namespace, name }: WantedApplication,
): ApplicationRecord | undefined {
  return applications.find(namespace, name);
}

/**
 * The driver pod of an application, from the API server itself, because watches may be slightly late.
 *
 * @throws KindlingError `OBJECT_NOT_FOUND`, KubeError
 */
export async function driverPodOf(context: ServiceContext, wanted: WantedApplication): Promise<Pod> {
  const name = knownApplication(context, wanted)?.driverPod ?? wanted.name;
  return await findApplication(context.client, { namespace: wanted.namespace, name, isPattern: false });
}
