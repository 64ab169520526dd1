import type { KubeObject, OwnerReference } from "@kindling/kube-objects";
import type { Application } from "../../views/applications/application.ts";
import { objectsAt, textAt } from "../../json/fields.ts";
import { type Entry, isVirtual } from "../../views/entry.ts";

/** The names of the claims that a pod mounts. */
export function mountedClaims(pod: KubeObject): string[] {
  return objectsAt(pod, "spec", "volumes").flatMap(
    (volume) => textAt(volume, "persistentVolumeClaim", "claimName") ?? [],
  );
}

/** The executors of an application that mount a claim and are not in the cluster yet. */
export function virtualMounts(application: Application, claim: string): Entry[] {
  return [...application.virtualExecutors()].filter(
    (entry) => isVirtual(entry) && mountedClaims(application.pods.shown(entry.name)?.object ?? NOTHING).includes(claim),
  );
}

const NOTHING: KubeObject = {
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name: "", uid: "", resourceVersion: "", creationTimestamp: "" },
};

/** The claim with the cluster's uids of its owners; undefined while an owner is not in the cluster yet. */
export function withRealOwners(application: Application, claim: KubeObject): KubeObject | undefined {
  const owners: OwnerReference[] = [];
  for (const owner of claim.metadata.ownerReferences ?? []) {
    const uid = owner.kind === "Pod" ? realUid(application, owner) : owner.uid;
    if (uid === undefined) return undefined;
    owners.push({ ...owner, uid });
  }
  if (owners.length === 0) return claim;
  return { ...claim, metadata: { ...claim.metadata, ownerReferences: owners } };
}

function realUid({ pods }: Application, { name, uid }: OwnerReference): string | undefined {
  const entry = pods.get(name);
  if (entry?.uid !== uid || entry.state.kind !== "real") return undefined;
  return entry.state.uid;
}
