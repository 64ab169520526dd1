import { formatTime, type KubeObject, objectKey } from "@kindling/kube-objects";
import { CLAIM_PROTECTION, VOLUME_PROTECTION } from "../admission/volume-claims.ts";
import { parseAmount } from "@kindling/api-server";
import type { PersistentVolume, PersistentVolumeClaim } from "../objects/core.ts";
import { type Pod, isFinished } from "../objects/pod.ts";
import type { ControllerContext } from "./controller.ts";
import { QueueController } from "./queue-controller.ts";

/** The storage class that exists from the beginning, and its provisioner. */
export const STANDARD_CLASS = "standard";
export const PROVISIONER = "devcluster.kindling/local";

export interface VolumeOptions {
  /** The folder of this machine with the content of provisioned volumes. */
  readonly folder: string;
}

/** Binds claims to volumes, creates volumes for claims of its own class, and keeps both while they are used. */
export class VolumeController extends QueueController {
  readonly #options: VolumeOptions;

  constructor(context: ControllerContext, options: VolumeOptions) {
    super(context);
    this.#options = options;
  }

  override start(): void {
    const { store } = this.context.api;
    const [claims, volumes] = [store.collection("persistentvolumeclaims"), store.collection("persistentvolumes")];
    this.follow(claims, ({ type, object }) => {
      this.add(object.object);
      if (type === "DELETED") this.queue.add((object.object as PersistentVolumeClaim).spec.volumeName ?? "");
    });
    this.follow(volumes, ({ object }) => {
      this.add(object.object);
      for (const claim of claims.list())
        if ((claim.object as PersistentVolumeClaim).status.phase === "Pending") this.add(claim.object);
    });
    this.follow(store.collection("pods"), ({ object }) => {
      const pod = object.object as Pod;
      for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
        if (persistentVolumeClaim !== undefined)
          this.queue.add(objectKey(pod.metadata.namespace, persistentVolumeClaim.claimName));
      }
    });
    for (const { object } of [...claims.list(), ...volumes.list()]) this.add(object);
  }

  protected override sync(key: string): void {
    const { store } = this.context.api;
    if (!key.includes("/")) {
      const volume = store.collection("persistentvolumes").getByKey(key)?.object;
      if (volume !== undefined) this.#syncVolume(volume as PersistentVolume);
      return;
    }
    const claim = store.collection("persistentvolumeclaims").getByKey(key)?.object;
    if (claim !== undefined) this.#syncClaim(claim as PersistentVolumeClaim);
  }

  #syncClaim(claim: PersistentVolumeClaim): void {
    if (claim.metadata.deletionTimestamp !== undefined) {
      if (!this.#inUse(claim)) this.#removeFinalizer("persistentvolumeclaims", claim, CLAIM_PROTECTION);
      return;
    }
    if (claim.status.phase === "Bound") return;
    const volume = this.#volumeFor(claim) ?? this.#provision(claim);
    if (volume === undefined) return;
    this.#bind(claim, volume);
  }

  #volumeFor({ metadata, spec }: PersistentVolumeClaim): PersistentVolume | undefined {
    const all = [...this.context.api.store.collection("persistentvolumes").list()].map(
      ({ object }) => object as PersistentVolume,
    );
    return all.find((volume) => {
      if ((spec.volumeName ?? "") !== "") return volume.metadata.name === spec.volumeName;
      const { claimRef } = volume.spec;
      if (claimRef !== undefined) return claimRef.name === metadata.name && claimRef.namespace === metadata.namespace;
      const offered = parseAmount(volume.spec.capacity?.["storage"] ?? "0")?.nanos ?? 0n;
      const asked = parseAmount(spec.resources.requests?.["storage"] ?? "0")?.nanos ?? 0n;
      return (
        (volume.spec.storageClassName ?? "") === (spec.storageClassName ?? "") &&
        (spec.accessModes ?? []).every((mode) => volume.spec.accessModes?.includes(mode) === true) &&
        offered >= asked
      );
    });
  }

  #provision({ metadata, spec }: PersistentVolumeClaim): PersistentVolume | undefined {
    const { store, types } = this.context.api;
    const storageClass = store
      .collection("storageclasses.storage.k8s.io")
      .get(undefined, spec.storageClassName ?? "")?.object;
    if (storageClass?.["provisioner"] !== PROVISIONER) return undefined;
    const name = `pvc-${metadata.uid}`;
    const wanted = {
      metadata: { name, annotations: { "pv.kubernetes.io/provisioned-by": PROVISIONER } },
      spec: {
        capacity: { storage: spec.resources.requests?.["storage"] ?? "0" },
        accessModes: spec.accessModes ?? [],
        hostPath: { path: `${this.#options.folder}/${name}`, type: "DirectoryOrCreate" },
        persistentVolumeReclaimPolicy: String(storageClass["reclaimPolicy"] ?? "Delete"),
        storageClassName: spec.storageClassName ?? "",
      },
    };
    return this.writer.create(types.builtIn("persistentvolumes"), undefined, wanted) as PersistentVolume;
  }

  #bind(claim: PersistentVolumeClaim, volume: PersistentVolume): void {
    const { types, clock } = this.context.api;
    const [claims, volumes] = [types.builtIn("persistentvolumeclaims"), types.builtIn("persistentvolumes")];
    const { name, namespace = "", uid, resourceVersion } = claim.metadata;
    const claimRef = { kind: "PersistentVolumeClaim", apiVersion: "v1", namespace, name, uid, resourceVersion };
    this.writer.update(volumes, volume.metadata, (current) => ({
      ...current,
      spec: { ...(current as PersistentVolume).spec, claimRef },
    }));
    this.writer.updateStatus<PersistentVolume>(volumes, volume.metadata, () => ({
      phase: "Bound",
      lastPhaseTransitionTime: formatTime(clock.now()),
    }));
    this.writer.update(claims, claim.metadata, (current) => ({
      ...current,
      metadata: {
        ...current.metadata,
        annotations: {
          ...current.metadata.annotations,
          "pv.kubernetes.io/bind-completed": "yes",
          "pv.kubernetes.io/bound-by-controller": "yes",
        },
      },
      spec: { ...(current as PersistentVolumeClaim).spec, volumeName: volume.metadata.name },
    }));
    this.writer.updateStatus<PersistentVolumeClaim>(claims, claim.metadata, () => ({
      phase: "Bound",
      accessModes: volume.spec.accessModes ?? [],
      capacity: volume.spec.capacity ?? {},
    }));
  }

  // When its claim is gone, a volume is deleted, or kept unchanged for a person to examine.
  #syncVolume(volume: PersistentVolume): void {
    const { store, types } = this.context.api;
    const type = types.builtIn("persistentvolumes");
    const { claimRef } = volume.spec;
    const claim =
      claimRef === undefined
        ? undefined
        : store.collection("persistentvolumeclaims").get(claimRef.namespace, claimRef.name ?? "");
    const bound = claim !== undefined && (claimRef?.uid === undefined || claim.object.metadata.uid === claimRef.uid);
    if (volume.metadata.deletionTimestamp !== undefined) {
      if (!bound) this.#removeFinalizer("persistentvolumes", volume, VOLUME_PROTECTION);
      return;
    }
    if (claimRef === undefined) this.#setPhase(volume, "Available");
    else if (!bound && claimRef.uid !== undefined) {
      this.#setPhase(volume, "Released");
      if (volume.spec.persistentVolumeReclaimPolicy === "Delete") this.writer.delete(type, volume.metadata);
    }
  }

  #setPhase({ metadata, status }: PersistentVolume, phase: string): void {
    if (status.phase === phase) return;
    const lastPhaseTransitionTime = formatTime(this.context.api.clock.now());
    const type = this.context.api.types.builtIn("persistentvolumes");
    this.writer.updateStatus<PersistentVolume>(type, metadata, () => ({ phase, lastPhaseTransitionTime }));
  }

  #inUse({ metadata }: PersistentVolumeClaim): boolean {
    return [...this.context.api.store.collection("pods").list(metadata.namespace)].some(({ object }) => {
      const pod = object as Pod;
      const mounts =
        pod.spec.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === metadata.name) === true;
      return mounts && !isFinished(pod) && (pod.spec.nodeName ?? "") !== "";
    });
  }

  #removeFinalizer(plural: string, { metadata }: KubeObject, finalizer: string): void {
    this.writer.update(this.context.api.types.builtIn(plural), metadata, (current) => {
      const { finalizers = [], ...rest } = current.metadata;
      const left = finalizers.filter((one) => one !== finalizer);
      return { ...current, metadata: left.length === 0 ? rest : { ...rest, finalizers: left } };
    });
  }
}
