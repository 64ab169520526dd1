import type { KubeObject } from "@kindling/kube-objects";
import { objectsAt, textAt } from "../../json/fields.ts";
import { driversOf, hasEnded, isExecutor } from "../../spark/spark-pod.ts";

export interface Peers {
  /** All pods of an executor's application. */
  readonly podsOfSame: (executor: KubeObject) => readonly KubeObject[];
  /** Whether a node goes. */
  readonly isLeaving: (node: string) => boolean;
}

/** How long an executor runs before it surely takes blocks: its JVM has to start, and others ask for their peers once a minute. */
const SETTLED_MS = 20_000;
/** The second half of an application's executors does not wait longer. Clouds give two minutes at most. */
const LONGEST_MS = 90_000;

/**
 * Which executors of a leaving node are asked to leave now. An executor moves its blocks to other executors that are there at
 * this moment and do not leave; without any, it ends with its blocks, and its driver asks for a successor only then (Spark
 * 4.3.0, BlockManagerDecommissioner and ExecutorPodsAllocator). So if all executors of an application are on nodes that go, half
 * of them leave first, to the others. These follow as soon as a successor runs on another node.
 */
export class LeaveInTurns {
  readonly #now: () => number;
  readonly #peers: Peers;
  /** When the first half was asked, by driver and node. */
  readonly #begun = new Map<string, number>();

  constructor(now: () => number, peers: Peers) {
    this.#now = now;
    this.#peers = peers;
  }

  /**
   * @param executors of one application on the node, in the order in which they are asked, without those that were asked
   * @returns those to ask now, and those that wait for their turn
   */
  turnOf(node: string, executors: readonly KubeObject[]): { now: readonly KubeObject[]; later: readonly KubeObject[] } {
    const [first] = executors;
    if (first === undefined) return { now: [], later: [] };
    const key = keyOf(node, first);
    const begun = this.#begun.get(key);
    if (this.#hasPeer(first) || (begun !== undefined && this.#now() - begun >= LONGEST_MS)) {
      return { now: executors, later: [] };
    }
    if (begun !== undefined) return { now: [], later: executors };
    this.#begun.set(key, this.#now());
    const half = Math.ceil(executors.length / 2);
    return { now: executors.slice(0, half), later: executors.slice(half) };
  }

  /** Forgets a node that does not go any more, or has no executors. */
  forget(node: string): void {
    for (const key of this.#begun.keys()) if (key.startsWith(`${node}/`)) this.#begun.delete(key);
  }

  #hasPeer(executor: KubeObject): boolean {
    return this.#peers.podsOfSame(executor).some((pod) => {
      const nodeName = textAt(pod, "spec", "nodeName");
      if (nodeName === undefined || this.#peers.isLeaving(nodeName)) return false;
      return isExecutor(pod) && !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined && this.#isSettled(pod);
    });
  }

  #isSettled(pod: KubeObject): boolean {
    return objectsAt(pod, "status", "containerStatuses").some((status) => {
      const startedAt = textAt(status, "state", "running", "startedAt");
      return startedAt !== undefined && this.#now() - Date.parse(startedAt) >= SETTLED_MS;
    });
  }
}

function keyOf(node: string, executor: KubeObject): string {
  return `${node}/${driversOf(executor).join(",")}`;
}
