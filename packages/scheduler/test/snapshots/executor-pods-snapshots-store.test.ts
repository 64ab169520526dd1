import { ManualClock } from "@kindling/outside";
import { describe, expect, test } from "vitest";
import { ExecutorPodsSnapshotsStore } from "../../src/index.ts";
import type { SnapshotDelivery } from "../../src/snapshots/executor-pods-snapshot.ts";
import { pod, running } from "../support/executor-pods.ts";

interface Watched {
  readonly clock: ManualClock;
  readonly store: ExecutorPodsSnapshotsStore;
  readonly deliveries: SnapshotDelivery[];
  readonly errors: unknown[];
}

function storeWith(onSnapshots: (delivery: SnapshotDelivery) => void | Promise<void> = () => undefined): Watched {
  const clock = new ManualClock();
  const store = new ExecutorPodsSnapshotsStore({ clock });
  const deliveries: SnapshotDelivery[] = [];
  const errors: unknown[] = [];
  store.subscribe({
    intervalMs: 1_000,
    onError: (error) => errors.push(error),
    onSnapshots: (delivery) => {
      deliveries.push(delivery);
      return onSnapshots(delivery);
    },
  });
  return { clock, store, deliveries, errors };
}

const kinds = (deliveries: readonly SnapshotDelivery[]): string[][] =>
  deliveries.map(({ changes }) => changes.map(({ kind }) => kind));

describe("a subscriber", () => {
  test("is called at once, with all that is known", async () => {
    const clock = new ManualClock();
    const store = new ExecutorPodsSnapshotsStore({ clock });
    store.updatePod(pod(1));
    const seen: SnapshotDelivery[] = [];
    store.subscribe({ intervalMs: 1_000, onError: () => undefined, onSnapshots: (one) => void seen.push(one) });
    await clock.advance(0);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.changes).toEqual([{ kind: "replaced", snapshot: store.last }]);
  });

  test("is given every change in order at its interval, and nothing where nothing has changed", async () => {
    const { clock, store, deliveries } = storeWith();
    await clock.advance(0);
    store.updatePod(pod(1));
    store.updatePod(pod(1, { phase: "running" }));
    store.removePod(pod(1, { phase: "running" }));
    store.replaceSnapshot(running(2));
    await clock.advance(2_000);
    expect(kinds(deliveries)).toEqual([["replaced"], ["updated", "updated", "removed", "replaced"], []]);
    expect([...(deliveries[1]?.last.pods.keys() ?? [])]).toEqual([2]);
  });

  test("is never called while it is still busy, and then once more for all notifications", async () => {
    let finish = (): void => undefined;
    let calls = 0;
    const clock = new ManualClock();
    const store = new ExecutorPodsSnapshotsStore({ clock });
    const subscription = store.subscribe({
      intervalMs: 1_000,
      onError: () => undefined,
      onSnapshots: () => {
        calls += 1;
        return calls === 1 ? new Promise((resolve) => (finish = resolve)) : undefined;
      },
    });
    await clock.advance(0);
    subscription.notify();
    subscription.notify();
    await clock.advance(5_000);
    expect(calls).toBe(1);
    finish();
    await clock.advance(0);
    expect(calls).toBe(2);
  });

  test("that throws is told of, and called again", async () => {
    const { clock, deliveries, errors } = storeWith(() => {
      throw new Error("no");
    });
    await clock.advance(1_000);
    expect([deliveries.length, errors.length]).toEqual([2, 2]);
  });

  test("that has stopped is not called any more, and no timer is left", async () => {
    const { clock, store, deliveries } = storeWith();
    await clock.advance(0);
    await store.stop();
    store.updatePod(pod(1));
    await clock.advance(5_000);
    expect(deliveries).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });
});

describe("a snapshot", () => {
  test("does not change once it has been given out", async () => {
    const { store } = storeWith();
    store.updatePod(pod(1));
    const before = store.last;
    store.updatePod(pod(2));
    expect([...before.pods.keys()]).toEqual([1]);
    expect([...store.last.pods.keys()]).toEqual([1, 2]);
  });

  test("loses a pod that is removed, but not its successor of the same id", () => {
    const { store } = storeWith();
    store.updatePod(pod(1, { uid: "second" }));
    store.removePod(pod(1, { uid: "first" }));
    expect(store.last.pods.has(1)).toBe(true);
    store.removePod(pod(1, { uid: "second" }));
    expect(store.last.pods.has(1)).toBe(false);
  });

  test("has the time of the last whole list", async () => {
    const { clock, store } = storeWith();
    expect(store.last.fullSnapshotAt).toBe(0);
    store.replaceSnapshot([]);
    const at = clock.now();
    await clock.advance(500);
    store.updatePod(pod(1));
    expect(store.last.fullSnapshotAt).toBe(at);
  });

  test("of two pods with one id has the newer", () => {
    const { store } = storeWith();
    store.replaceSnapshot([pod(1, { uid: "new", created: 2_000 }), pod(1, { uid: "old", created: 1_000 })]);
    expect(store.last.pods.get(1)?.uid).toBe("new");
  });
});
