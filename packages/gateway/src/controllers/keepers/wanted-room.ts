import { add, larger, type Resources, type Wait } from "@kindling/admission";
import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import { unschedulable } from "../../json/conditions.ts";
import { textAt } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";

const DISK = "ephemeral-storage";
/** What the scheduler of Kubernetes writes if no node has it, and the resource that it means (NodeResourcesFit). */
const ON_NODES: readonly (readonly [RegExp, string])[] = [
  [/Insufficient ephemeral-storage/, DISK],
  [/Too many pods/, "pods"],
];

/** What the applications of each queue lack, and since when they have lacked something without a pause. */
export class WantedRoom {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #patienceMs: number;
  readonly #lacks = new Map<string, { readonly since: number; readonly lack: Resources }>();

  /** @param patienceMs a lack counts when it has lasted so long */
  constructor(clock: Pick<Clock, "monotonic">, patienceMs: number) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** Takes everything that waits at this moment. */
  note(waits: readonly Wait[]): void {
    const lacks = new Map<string, Resources>();
    for (const wait of waits) {
      const lack = lackOf(wait);
      if (lack !== undefined) lacks.set(wait.queue, larger(lacks.get(wait.queue) ?? {}, lack));
    }
    const now = this.#clock.monotonic();
    for (const queue of this.#lacks.keys()) if (!lacks.has(queue)) this.#lacks.delete(queue);
    for (const [queue, lack] of lacks) this.#lacks.set(queue, { since: this.#lacks.get(queue)?.since ?? now, lack });
  }

  /** What has been lacking long enough, by queue. */
  due(): ReadonlyMap<string, Resources> {
    const before = this.#clock.monotonic() - this.#patienceMs;
    return new Map(
      [...this.#lacks].filter(([, { since }]) => since <= before).map(([queue, { lack }]) => [queue, lack]),
    );
  }

  /** Keepers of the queue have gone: what is lacking after that has to last as long again. */
  given(queue: string): void {
    const known = this.#lacks.get(queue);
    if (known !== undefined) this.#lacks.set(queue, { ...known, since: this.#clock.monotonic() });
  }
}

/** What an application lacks, as far as pods that go could give it; `undefined` if that would not help. */
function lackOf({ needs, reason, roomToCome }: Wait): Resources | undefined {
  if (roomToCome) return undefined;
  if (reason.kind === "capacity" || reason.kind === "ceiling") {
    return positive(Object.entries(needs).map(([name, amount]) => [name, amount - (reason.left[name] ?? 0)]));
  }
  // Which node lacks what is not known; a keeper has much of the disk, and little of everything else.
  return reason.kind === "fragments" ? positive([[DISK, needs[DISK] ?? 0]]) : undefined;
}

function positive(amounts: readonly (readonly [string, number])[]): Resources | undefined {
  const found = amounts.filter(([, amount]) => amount > 0);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/**
 * What a pod lacks that the scheduler of Kubernetes finds on no node, as far as it says so.
 *
 * @param waitedMs it counts if it has waited so long
 */
export function lackOnNodes(
  pod: KubeObject,
  requests: () => Resources,
  now: number,
  waitedMs: number,
): Resources | undefined {
  if (textAt(pod, "spec", "nodeName") !== undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
  const condition = unschedulable(pod);
  if (condition === undefined) return undefined;
  if (now - (timeOf(textAt(condition, "lastTransitionTime")) ?? now) < waitedMs) return undefined;
  const message = textAt(condition, "message") ?? "";
  const names = ON_NODES.filter(([words]) => words.test(message)).map(([, name]) => name);
  if (names.length === 0) return undefined;
  const asked = requests();
  return positive(names.map((name) => [name, asked[name] ?? 0]));
}

/** All that is lacking. */
export function together(
  lacks: ReadonlyMap<string, Resources>,
  more: readonly (readonly [string, Resources])[],
): ReadonlyMap<string, Resources> {
  const all = new Map(lacks);
  for (const [queue, lack] of more) all.set(queue, add(all.get(queue) ?? {}, lack));
  return all;
}
