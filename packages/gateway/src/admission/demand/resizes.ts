import type { KubeObject } from "@kindling/kube-objects";
import { compareResourceVersions } from "@kindling/kube";
import { larger, type PodShape } from "@kindling/admission";
import type { PodShapes } from "./pod-shapes.ts";

/** What came of a resize that was begun. */
export interface ResizeInProgress {
  /** The API server has answered with the executor as it is now. */
  done(answer: KubeObject): void;
  failed(): void;
}

interface Resize {
  /** The executor as it will be. */
  readonly pod: KubeObject;
  /** As of which version it is so in the cluster; undefined as long as nobody has answered. */
  readonly since: string | undefined;
}

/** Executors that are being given other resources, by their uids in the cluster: they count for what they have and will have. */
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

  /** Counts an executor for what it will have from now on. */
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

  /** What a pod counts for. */
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

  /** Forgets those that are not there any more. */
  keep(uids: ReadonlySet<string>): void {
    for (const uid of this.#pods.keys()) if (!uids.has(uid)) this.#pods.delete(uid);
  }
}
