import { amountToNumber, parseAmount } from "@kindling/api-server";
import type { Node } from "../objects/core.ts";
import type { Pod } from "../objects/pod.ts";
import { podResources } from "../quota/usage.ts";

/** Amounts of resources in whole units; `pods` counts pods. */
export type Amounts = ReadonlyMap<string, number>;

/** The resources that a pod takes from a node. */
export function demandOf(pod: Pod): Amounts {
  const demand = new Map<string, number>([["pods", 1]]);
  for (const [name, amount] of podResources(pod, "requests")) demand.set(name, amountToNumber(amount));
  return demand;
}

/** The resources that the pods on a node take, and the rest. */
export class NodeRoom {
  node: Node;
  readonly #pods = new Map<string, Amounts>();
  readonly #used = new Map<string, number>();
  #allocatable: Map<string, number>;

  constructor(node: Node) {
    this.node = node;
    this.#allocatable = allocatableOf(node);
  }

  set current(node: Node) {
    this.node = node;
    this.#allocatable = allocatableOf(node);
  }

  add(pod: Pod): void {
    this.remove(pod.metadata.uid);
    const demand = demandOf(pod);
    this.#pods.set(pod.metadata.uid, demand);
    for (const [name, amount] of demand) this.#used.set(name, (this.#used.get(name) ?? 0) + amount);
  }

  remove(uid: string): boolean {
    const known = this.#pods.get(uid);
    if (known === undefined) return false;
    this.#pods.delete(uid);
    for (const [name, amount] of known) this.#used.set(name, (this.#used.get(name) ?? 0) - amount);
    return true;
  }

  /** The resources that are too small for a demand; empty if it fits. */
  lacks(demand: Amounts): string[] {
    return [...demand].flatMap(([name, amount]) => {
      const free = (this.#allocatable.get(name) ?? 0) - (this.#used.get(name) ?? 0);
      return amount > 0 && amount > free + 1e-9 ? [name] : [];
    });
  }

  /** Whether a demand exceeds the whole node. */
  exceeds(demand: Amounts): boolean {
    return [...demand].some(([name, amount]) => amount > (this.#allocatable.get(name) ?? 0));
  }

  /** The free share after a demand, as the average of CPU and memory: the scheduler spreads pods. */
  freeShare(demand: Amounts): number {
    let sum = 0;
    for (const name of ["cpu", "memory", "pods"]) {
      const total = this.#allocatable.get(name) ?? 0;
      if (total > 0) sum += (total - (this.#used.get(name) ?? 0) - (demand.get(name) ?? 0)) / total;
    }
    return sum;
  }
}

function allocatableOf({ status }: Node): Map<string, number> {
  const entries = Object.entries(status.allocatable ?? status.capacity ?? {}).map(([name, text]): [string, number] => {
    const amount = parseAmount(text);
    return [name, amount === undefined ? 0 : amountToNumber(amount)];
  });
  return new Map(entries);
}
