import type { KubeObject } from "@kindling/kube-objects";
import { chmodSync, chownSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "@kindling/core-spec";
import { amountToNumber, parseAmount } from "@kindling/api-server";
import type { Clock } from "@kindling/outside";
import { expand } from "../../../objects/variable.ts";
import type { Container, Pod, Volume, VolumeMount } from "../../../objects/pod.ts";
import { ContainerStartError, type NodeCapacity, PodStartError, type PodSources } from "../../runtime.ts";
import { type Bind, isBelow } from "../root/bind.ts";
import { checkHostPath } from "./host-path.ts";
import { isFilledFrom, volumeContent } from "./volume-files.ts";
import { type LimitedFolder, watchSizes } from "./size-watch.ts";
import { writeFiles } from "./write-files.ts";

export interface PodVolumesOptions {
  readonly pod: Pod;
  readonly sources: PodSources;
  readonly clock: Clock;
  readonly capacity: NodeCapacity;
  /** The folder for volumes that containers fill, and the one for volumes in memory. */
  readonly folder: string;
  readonly memory: string;
  /** Fails the pod as a whole. */
  readonly fail: (reason: string, message: string) => void;
  /** Whether the group of files can be changed to the pod's group. */
  readonly canChangeGroup: boolean;
}

/** The volumes of a pod, as folders and files of this machine. */
export class PodVolumes {
  readonly #options: PodVolumesOptions;
  readonly #paths = new Map<string, { path: string; readOnly: boolean }>();
  readonly #group: number | undefined;
  #version = 0;
  #cancels: (() => void)[] = [];

  constructor(options: PodVolumesOptions) {
    this.#options = options;
    this.#group = options.canChangeGroup ? options.pod.spec.securityContext?.fsGroup : undefined;
  }

  /** @throws PodStartError */
  make(): void {
    for (const volume of this.#options.pod.spec.volumes ?? []) {
      try {
        this.#paths.set(volume.name, this.#make(volume));
      } catch (error) {
        const why = messageOf(error);
        throw new PodStartError("FailedMount", `MountVolume.SetUp failed for volume "${volume.name}" : ${why}`);
      }
    }
    this.#cancels.push(watchSizes(this.#options.clock, this.#limited()));
  }

  /** The mounts of the volumes in a container. @throws ContainerStartError */
  binds(container: Container, environment: Readonly<Record<string, string>>): Bind[] {
    return (container.volumeMounts ?? []).map((mount) => this.#bind(mount, environment));
  }

  /** Updates volumes that are filled from an object. */
  refresh(resource: string, { metadata }: KubeObject): void {
    const { spec, metadata: own } = this.#options.pod;
    if (metadata.namespace !== own.namespace) return;
    for (const volume of spec.volumes ?? []) {
      const known = this.#paths.get(volume.name);
      if (known !== undefined && isFilledFrom(volume, resource, metadata.name)) this.#fillAgain(volume, known.path);
    }
  }

  stop(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels = [];
  }

  /** The empty volumes with a size limit; the message is that of the kubelet's eviction. */
  #limited(): LimitedFolder[] {
    const { pod, fail } = this.#options;
    return (pod.spec.volumes ?? []).flatMap(({ name, emptyDir }) => {
      const path = this.#paths.get(name)?.path;
      const limit = parseAmount(emptyDir?.sizeLimit ?? "");
      if (path === undefined || limit === undefined) return [];
      const message = `Usage of EmptyDir volume "${name}" exceeds the limit "${emptyDir?.sizeLimit ?? ""}". `;
      return [{ path, limit: amountToNumber(limit), onExceeded: () => fail("Evicted", message) }];
    });
  }

  #make(volume: Volume): { path: string; readOnly: boolean } {
    const { name, emptyDir, hostPath, persistentVolumeClaim: claim } = volume;
    if (hostPath !== undefined) {
      checkHostPath(hostPath.path, hostPath.type ?? "");
      return { path: hostPath.path, readOnly: false };
    }
    if (claim !== undefined) return { path: this.#claimed(claim.claimName), readOnly: claim.readOnly === true };
    if (emptyDir !== undefined) {
      const path = join(emptyDir.medium === "Memory" ? this.#options.memory : this.#options.folder, name);
      this.#makeOpen(path);
      return { path, readOnly: false };
    }
    // In memory, because the kubelet also keeps possible secrets there.
    const path = join(this.#options.memory, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    mkdirSync(path, { recursive: true, mode: 0o755 });
    if (!this.#fill(volume, path)) throw new Error("volumes of this kind need a real cluster");
    return { path, readOnly: true };
  }

  /** Creates a folder that all users can write to, as empty volumes are. */
  #makeOpen(path: string): void {
    // Other users of this machine cannot enter the folder around it.
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    mkdirSync(path, { recursive: true });
    chmodSync(path, this.#group === undefined ? 0o777 : 0o2777);
    if (this.#group !== undefined) chownSync(path, -1, this.#group);
  }

  #claimed(name: string): string {
    const volume = this.#options.sources.claim(name)?.volume;
    const path = volume?.spec.hostPath?.path ?? volume?.spec.local?.path;
    if (volume === undefined) throw new Error(`persistentvolumeclaim "${name}" is not bound`);
    if (path === undefined) throw new Error(`persistentvolume "${volume.metadata.name}" is no folder of this machine`);
    if (volume.spec.local !== undefined) checkHostPath(path, "Directory");
    else if (statSync(path, { throwIfNoEntry: false }) === undefined) this.#makeOpen(path);
    return path;
  }

  #fill(volume: Volume, path: string): boolean {
    const { pod, sources, clock, capacity } = this.#options;
    const now = clock.now();
    const content = volumeContent(volume, { pod, sources, capacity, now });
    if (content === undefined) return false;
    this.#version += 1;
    writeFiles(path, content.files, `${now}.${this.#version}`, this.#group);
    if (content.renewAt !== undefined) {
      this.#cancels.push(clock.after(content.renewAt - now, () => this.#fillAgain(volume, path)));
    }
    return true;
  }

  #fillAgain(volume: Volume, path: string): void {
    try {
      this.#fill(volume, path);
    } catch {
      // Its source is gone, or lacks a key: the existing content stays.
    }
  }

  #bind(mount: VolumeMount, environment: Readonly<Record<string, string>>): Bind {
    const volume = this.#paths.get(mount.name);
    if (volume === undefined)
      throw new ContainerStartError("CreateContainerConfigError", `volume ${mount.name} is missing`);
    const known = new Map(Object.entries(environment));
    const sub = mount.subPath ?? (mount.subPathExpr === undefined ? "" : expand(mount.subPathExpr, known));
    const readOnly = volume.readOnly || mount.readOnly === true;
    return { source: this.#part(volume.path, sub, mount.name), target: mount.mountPath, readOnly };
  }

  /** A part of a volume; created as a folder if it is missing. */
  #part(volume: string, sub: string, name: string): string {
    if (sub === "") return volume;
    const path = join(volume, sub);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) makeLike(volume, sub);
    const real = realpathSync(path);
    if (real !== realpathSync(volume) && !isBelow(real, realpathSync(volume))) {
      const message = `failed to prepare subPath for volumeMount "${name}": it leads out of the volume`;
      throw new ContainerStartError("CreateContainerConfigError", message);
    }
    return real;
  }
}

/** Creates a folder in a volume, with the same owner and rights as the volume. */
function makeLike(volume: string, sub: string): void {
  const { mode, uid, gid } = statSync(volume);
  let path = volume;
  for (const part of sub.split("/")) {
    path = join(path, part);
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    mkdirSync(path);
    chmodSync(path, mode & 0o7777);
    chownSync(path, uid, gid);
  }
}
