import type { KubeObject } from "@kindling/kube-objects";
import { compareResourceVersions } from "@kindling/kube";
import { larger, type PodShape } from "@kindling/admission";
import type { PodShapes } from "./pod-shapes.ts";

/** Tells how a resize ended. */
export interface ResizeInProgress {
  /** The API server has answered with the executor as it is now. */
  done(answer: KubeObject): void;
  failed(): void;
}

interface Resize {
  /** The executor after the resize. */
  readonly pod: KubeObject;
  /** The resource version from which on the cluster shows the resize; undefined until the API server has answered. */
  readonly since: string | undefined;
}

/** Executors that are being resized, by their uids in the cluster. They count with both their old and their new resources. */
export class Resizes {
  readonly #shapes: PodShapes;
  readonly #pods = new Map<string, Resize>();

  constructor(shapes: PodShapes) {
    this.#shapes = shapes;
  }

  get size(): number {
    return this.#pods.size;
  }

  isUnderWay(uid: string): boolean {
    const resize = this.#pods.get(uid);
    return resize !== undefined && resize.since === undefined;
  }

  /** From now on, also counts what the executor will have. */
  begin(pod: KubeObject): ResizeInProgress {
    const { uid } = pod.metadata;
    const before = this.#pods.get(uid);
    this.#pods.set(uid, { pod, since: undefined });
    return {
      done: (answer) => void this.#pods.set(uid, { pod: answer, since: answer.metadata.resourceVersion }),
      failed: () => {
        if (before === undefined) this.#pods.delete(uid);
        else this.#pods.set(uid, before);
      },
    };
  }

  /** The resources with which a pod is counted. */
  shapeOf(pod: KubeObject): PodShape {
    const shape = this.#shapes.of(pod);
    const { uid, resourceVersion } = pod.metadata;
    const resize = this.#pods.get(uid);
    if (resize === undefined) return shape;
    const { since } = resize;
    if (since !== undefined && (compareResourceVersions(resourceVersion, since) ?? -1) >= 0) {
      this.#pods.delete(uid);
      return shape;
    }
    const other = this.#shapes.of(resize.pod);
    return {
      requests: larger(shape.requests, other.requests),
      limits: larger(shape.limits, other.limits),
      placement: shape.placement,
    };
  }

  /** Forgets the executors that are gone. */
  keep(uids: ReadonlySet<string>): void {
    for (const uid of this.#pods.keys()) if (!uids.has(uid)) this.#pods.delete(uid);
  }
}
