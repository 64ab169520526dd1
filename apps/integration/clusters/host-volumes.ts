import type { KubeObjectLike } from "@kindling/kube";
import type { TestNamespace } from "./test-cluster.ts";

/** Volumes of the namespace's own storage class, made by hand: not every cluster makes them by itself. */
export class HostVolumes {
  readonly storageClass: string;
  readonly #namespace: TestNamespace;
  readonly #objects: readonly KubeObjectLike[];

  private constructor(namespace: TestNamespace, objects: readonly KubeObjectLike[]) {
    this.storageClass = namespace.name;
    this.#namespace = namespace;
    this.#objects = objects;
  }

  static async make(namespace: TestNamespace, count: number): Promise<HostVolumes> {
    const volumes = Array.from({ length: count }, (_, index) => volume(namespace.name, index));
    return new HostVolumes(namespace, await namespace.apply(volumes.join("---\n")));
  }

  async remove(): Promise<void> {
    await this.#namespace.delete(this.#objects);
  }
}

function volume(namespace: string, index: number): string {
  return `apiVersion: v1
kind: PersistentVolume
metadata: {name: ${namespace}-${index}}
spec:
  storageClassName: ${namespace}
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  hostPath: {path: /tmp/${namespace}-${index}, type: DirectoryOrCreate}
`;
}
