import { createHash } from "node:crypto";
import { isKindlingError, KindlingError, messageOf, type ConfigMap, type Pod, type Service } from "@kindling/core-spec";
import { isAlreadyExists, isConflict, isNotFound, type KubeClient, resources } from "@kindling/kube";
import type { SparkConnect } from "@kindling/spark-application";
import type { Pod as StoredPod } from "kubernetes-types/core/v1.js";
import { canonicalJson } from "../../application-states/canonical-json.ts";
import { serverPod } from "../../connect-server/server-pod.ts";
import { serverService, templateMap } from "../../connect-server/server-service.ts";
import { type ConnectServerRecord, connectPodRecord } from "../../pods/connect-pod-record.ts";
import { applyOwned } from "../../resources/apply-owned.ts";
import { isPassingFault } from "../submission/passing-fault.ts";

/** Makes the objects of servers, and remembers which of them are as they should be. */
export interface ServerObjects {
  /** Makes the ConfigMap if this process has not done so, or always if `isUrgent`. */
  ensureTemplate(connect: SparkConnect, isUrgent: boolean): Promise<void>;
  /** Makes the service if this process has not done so, or if it is missing. */
  ensureService(connect: SparkConnect, isMissing: boolean): Promise<void>;
  /** @returns the pod that is there now; undefined if another one has to go first */
  makePod(connect: SparkConnect): Promise<ConnectServerRecord | undefined>;
  deletePod(server: ConnectServerRecord): Promise<void>;
  forget(uid: string): void;
}

/** @param master the API server as pods reach it */
export function createServerObjects(client: KubeClient, master: string): ServerObjects {
  /** Hashes of what was made, by the uids of SparkConnects and the kinds of objects. */
  const made = new Map<string, Map<string, string>>();

  async function ensure(uid: string, object: ConfigMap | Service, isUrgent: boolean): Promise<void> {
    const hash = createHash("sha256").update(canonicalJson(object)).digest("base64");
    const ofConnect = made.get(uid) ?? new Map<string, string>();
    if (!isUrgent && ofConnect.get(object.kind) === hash) return;
    await applyOwned(client, object);
    made.set(uid, ofConnect.set(object.kind, hash));
  }

  return {
    ensureTemplate: (connect, isUrgent) => ensure(connect.metadata.uid, templateMap(connect), isUrgent),
    ensureService: (connect, isMissing) => ensure(connect.metadata.uid, serverService(connect), isMissing),
    makePod: (connect) => makePod(client, connect.metadata.uid, serverPod(connect, master)),
    async deletePod({ name, namespace, uid }) {
      try {
        await client.delete(resources.pods, name, { namespace, preconditions: { uid } });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    },
    forget: (uid) => void made.delete(uid),
  };
}

async function makePod(
  client: KubeClient,
  uid: string,
  pod: Pod & { readonly metadata: { readonly name: string } },
): Promise<ConnectServerRecord | undefined> {
  const { name, namespace } = pod.metadata;
  try {
    return serverRecord(await client.create<StoredPod>(resources.pods, pod));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const found = await client.get<StoredPod>(resources.pods, name, { namespace });
  const owners = found.metadata?.ownerReferences ?? [];
  if (owners.some((owner) => owner.uid === uid)) return serverRecord(found);
  // The pod of a SparkConnect of the same name that was deleted goes by itself.
  if (found.metadata?.deletionTimestamp !== undefined || owners.some(({ kind }) => kind === "SparkConnect"))
    return undefined;
  throw new KindlingError(
    "OBJECT_CONFLICT",
    `Pod ${namespace}/${name} is there already and belongs to something else`,
    {
      hint: "remove or rename it, or rename the SparkConnect",
    },
  );
}

function serverRecord(pod: StoredPod): ConnectServerRecord | undefined {
  const record = connectPodRecord(pod);
  return record?.role === "server" ? record : undefined;
}

/**
 * Why an object could not be made, for the status.
 *
 * @throws the error, if the same request may succeed a little later
 */
export function refusalText(error: unknown): string {
  if (isPassingFault(error)) throw error;
  return isKindlingError(error) && error.hint !== undefined ? `${error.message} (${error.hint})` : messageOf(error);
}
