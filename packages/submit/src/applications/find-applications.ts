import {
  appNameLabel,
  isDnsSubdomain,
  KindlingError,
  quotedName,
  SPARK_APP_ID_LABEL,
  SPARK_APP_NAME_LABEL,
  SPARK_ROLE_DRIVER,
  SPARK_ROLE_LABEL,
  standInName,
} from "@kindling/core-spec";
import { resources, type KubeClient } from "@kindling/kube";
import type { Pod } from "kubernetes-types/core/v1.js";
import { prefixOfSubmission } from "../plan/make-submission.ts";
import { matchesPattern, type ApplicationName } from "./application-name.ts";
import { podNamed } from "./pod-named.ts";
import { isStandIn } from "./stand-in.ts";

const DRIVERS = `${SPARK_ROLE_LABEL}=${SPARK_ROLE_DRIVER}`;

/**
 * The driver pods of the applications with this name. The name is compared with the driver pod's name first, then with the
 * submission id, the application's id and the application's name. The first of these that finds something counts.
 *
 * @throws KubeError
 */
export async function findApplications(client: KubeClient, wanted: ApplicationName): Promise<Pod[]> {
  const { namespace, name, isPattern } = wanted;
  if (!isPattern) return (await search(client, wanted, () => undefined)).found;
  const all = await drivers(client, namespace, DRIVERS);
  return all.filter((pod) => namesOf(pod).some((one) => matchesPattern(name, one)));
}

interface Search {
  readonly found: Pod[];
  /** The pod that has this name and is no driver. */
  readonly other?: Pod | undefined;
}

async function search(client: KubeClient, wanted: ApplicationName, onMiss: () => void): Promise<Search> {
  const { namespace, name } = wanted;
  // No pod can have another name.
  const own = isDnsSubdomain(name) ? await podNamed(client, namespace, name) : undefined;
  if (isDriver(own)) return { found: [own] };
  const found = await firstOf([
    driverPod(client, namespace, `${prefixOfSubmission(name)}-driver`),
    labelled(client, namespace, SPARK_APP_ID_LABEL, name),
    labelled(client, namespace, SPARK_APP_NAME_LABEL, appNameLabel(name)),
  ]);
  if (found.length > 0) return { found };
  onMiss();
  return { found: await standIn(client, namespace, name), other: own };
}

/** All are asked at once: most clusters are too far away to wait for three answers one after the other. */
async function firstOf(looks: readonly Promise<Pod[]>[]): Promise<Pod[]> {
  for (const look of looks) look.catch(() => undefined);
  for (const look of looks) {
    const found = await look;
    if (found.length > 0) return found;
  }
  return [];
}

function isDriver(pod: Pod | undefined): pod is Pod {
  return pod?.metadata?.labels?.[SPARK_ROLE_LABEL] === SPARK_ROLE_DRIVER;
}

/**
 * The one application with this name.
 *
 * @param onMiss called when no driver pod has been found, so that the application may be gone; the search goes on, as the driver may
 *   be started again
 * @throws KindlingError `OBJECT_NOT_FOUND`; `ARGUMENT_INVALID` if there are several, with their names; KubeError
 */
export async function findApplication(
  client: KubeClient,
  wanted: ApplicationName,
  onMiss: () => void = () => undefined,
): Promise<Pod> {
  const { found, other }: Search = wanted.isPattern
    ? { found: await findApplications(client, wanted) }
    : await search(client, wanted, onMiss);
  const [pod] = found;
  if (pod === undefined) throw other === undefined ? noApplication(client, wanted) : noDriver(other, wanted);
  if (found.length > 1) throw ambiguous(wanted, found);
  return pod;
}

/** The error if a pod has this name but is no driver, for example an executor. */
function noDriver(pod: Pod, { name }: ApplicationName): KindlingError {
  const what = `${pod.metadata?.namespace ?? ""}:${name} is a pod, but no Spark driver`;
  const app = pod.metadata?.labels?.[SPARK_APP_ID_LABEL];
  return new KindlingError("ARGUMENT_INVALID", what, {
    hint: app === undefined ? "kindling list shows what is one" : `it is one of application ${app}, which may be named`,
  });
}

/** The error if nothing has this name. It says where the search was made. */
export function noApplication(
  client: KubeClient,
  { namespace = client.namespace, name }: ApplicationName,
): KindlingError {
  return new KindlingError(
    "OBJECT_NOT_FOUND",
    `no application in namespace ${namespace} is called ${quotedName(name)}`,
    {
      hint: `kindling list -n ${namespace} shows those that are there; for another namespace, -n or NAMESPACE:NAME`,
    },
  );
}

const MOST_CANDIDATES = 10;

/** The error if several applications have this name. Each can be named by its driver pod. */
export function ambiguous({ name }: ApplicationName, found: readonly Pod[]): KindlingError {
  const newestFirst = found.toSorted((a, b) => createdAt(b) - createdAt(a));
  const shown = newestFirst
    .slice(0, MOST_CANDIDATES)
    .map(
      ({ metadata, status }) => `${metadata?.namespace ?? ""}:${metadata?.name ?? ""} (${status?.phase ?? "unknown"})`,
    );
  const more = found.length > shown.length ? ", …" : "";
  return new KindlingError("ARGUMENT_INVALID", `${found.length} applications are called ${quotedName(name)}`, {
    hint: `name one by its driver pod, the newest first: ${shown.join(", ")}${more}`,
  });
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata?.creationTimestamp ?? "") || 0;
}

function namesOf({ metadata }: Pod): string[] {
  const { name, labels = {} } = metadata ?? {};
  return [name, labels[SPARK_APP_ID_LABEL], labels[SPARK_APP_NAME_LABEL]].filter((one) => one !== undefined);
}

async function driverPod(client: KubeClient, namespace: string | undefined, name: string): Promise<Pod[]> {
  // No pod can have this name.
  if (!isDnsSubdomain(name)) return [];
  const pod = await podNamed(client, namespace, name);
  return isDriver(pod) ? [pod] : [];
}

/** The pod that stands in for the driver while the gateway starts it again. */
async function standIn(client: KubeClient, namespace: string | undefined, name: string): Promise<Pod[]> {
  if (!isDnsSubdomain(name)) return [];
  const pod = await podNamed(client, namespace, standInName(name));
  return pod !== undefined && isStandIn(pod) ? [pod] : [];
}

async function labelled(
  client: KubeClient,
  namespace: string | undefined,
  label: string,
  value: string,
): Promise<Pod[]> {
  // No label can have this value.
  if (!/^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(value)) return [];
  return await drivers(client, namespace, `${DRIVERS},${label}=${value}`);
}

async function drivers(client: KubeClient, namespace: string | undefined, labelSelector: string): Promise<Pod[]> {
  const { items } = await client.listAll(resources.pods, { namespace, labelSelector });
  return items;
}
