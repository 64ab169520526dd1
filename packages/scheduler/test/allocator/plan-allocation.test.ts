import { describe, expect, test } from "vitest";
import type { Action } from "../../src/actions/action.ts";
import { afterCreations } from "../../src/allocator/after-creations.ts";
import type { AllocationInput } from "../../src/allocator/allocation-input.ts";
import type { AllocatorSettings } from "../../src/allocator/allocator-settings.ts";
import { type AllocatorState, NEW_ALLOCATOR } from "../../src/allocator/allocator-state.ts";
import { planAllocation } from "../../src/allocator/plan-allocation.ts";
import { changed, listed, NOW, pod, running, unchanged } from "../support/executor-pods.ts";

const SETTINGS: AllocatorSettings = {
  batchDelayMs: 1_000,
  batchSize: 5,
  maxPendingPods: 100,
  maxPendingPodsPerProfile: 100,
  podCreationTimeoutMs: 600_000,
  executorIdleTimeoutMs: 60_000,
  maximum: 1_000_000,
  deleteOnTermination: true,
  backoff: { firstMs: 1_000, longestMs: 4_000 },
};

interface Case extends Partial<Omit<AllocationInput, "targets">> {
  readonly state?: Partial<AllocatorState>;
  readonly settings?: Partial<AllocatorSettings>;
  readonly wanted: number | Readonly<Record<number, number>>;
}

function plan({ state, settings, wanted, ...input }: Case): { actions: readonly Action[]; state: AllocatorState } {
  const totals = typeof wanted === "number" ? { 0: wanted } : wanted;
  return planAllocation(
    { ...NEW_ALLOCATOR, ...state },
    { ...SETTINGS, ...settings },
    {
      delivery: listed([]),
      isRegistered: () => false,
      now: NOW,
      ...input,
      targets: new Map(Object.entries(totals).map(([profileId, total]) => [Number(profileId), total])),
    },
  );
}

/** The ids of the executors that a plan creates, by resource profile. */
function made(given: Case): Record<number, number[]> {
  const byProfile: Record<number, number[]> = {};
  for (const action of plan(given).actions) {
    if (action.kind === "create") (byProfile[action.profileId] ??= []).push(action.id);
  }
  return byProfile;
}

const requested = (...ids: readonly number[]): Pick<AllocatorState, "requested" | "lastId"> => ({
  requested: new Map(ids.map((id) => [id, { profileId: 0, at: NOW }])),
  lastId: Math.max(...ids),
});

describe("executors are asked for", () => {
  test("as many as are wanted and not there, in batches", () => {
    expect(made({ wanted: 3 })).toEqual({ 0: [1, 2, 3] });
    expect(made({ wanted: 12 })).toEqual({ 0: [1, 2, 3, 4, 5] });
    expect(made({ wanted: 4, delivery: listed([...running(1, 2), pod(3)]) })).toEqual({ 0: [4] });
    expect(made({ wanted: 2, delivery: listed(running(1, 2)) })).toEqual({});
  });

  test("in place of those that have ended, with new ids", () => {
    const ended = [pod(1, { phase: "failed" }), pod(2, { phase: "succeeded" }), pod(3, { phase: "deleted" })];
    expect(made({ wanted: 3, delivery: listed(ended) })).toEqual({ 0: [4, 5, 6] });
  });

  test("not before the first whole list: there may be executors already", () => {
    expect(made({ wanted: 3, delivery: listed([], 0) })).toEqual({});
  });

  test("not before the last batch was seen", () => {
    expect(made({ wanted: 12, state: requested(1, 2), delivery: unchanged([]) })).toEqual({});
    expect(made({ wanted: 12, state: requested(1, 2), delivery: listed([pod(1)]) })).toEqual({});
    expect(made({ wanted: 4, state: requested(1, 2), delivery: listed([pod(1), pod(2)]) })).toEqual({ 0: [3, 4] });
  });

  test("for each resource profile, in the order of their ids", () => {
    const delivery = listed([pod(1, { profileId: 7 }), pod(2)]);
    expect(made({ wanted: { 7: 2, 0: 3 }, delivery })).toEqual({ 0: [3, 4], 7: [5] });
  });

  test("where there is one profile only, any pod counts for it", () => {
    expect(made({ wanted: 2, delivery: listed([pod(1, { profileId: 7 })]) })).toEqual({ 0: [2] });
  });

  test("one that registers before it is seen is there", () => {
    const state = requested(1);
    const isRegistered = (id: number): boolean => id === 1;
    const { state: next } = plan({ wanted: 1, state, isRegistered, delivery: unchanged([]) });
    expect(next.requested.size).toBe(0);
    expect(made({ wanted: 2, state: next, isRegistered, delivery: unchanged([]) })).toEqual({ 0: [2] });
  });
});

describe("pending pods have limits", () => {
  test("of all profiles together: what is free is divided evenly", () => {
    const settings = { maxPendingPods: 5 };
    expect(made({ wanted: { 0: 9, 1: 9 }, settings })).toEqual({ 0: [1, 2, 3], 1: [4, 5] });
    expect(made({ wanted: 9, settings, delivery: listed([pod(1), pod(2), pod(3)]) })).toEqual({ 0: [4, 5] });
    expect(made({ wanted: 9, settings, delivery: listed([1, 2, 3, 4, 5].map((id) => pod(id))) })).toEqual({});
  });

  test("of one profile", () => {
    const settings = { maxPendingPodsPerProfile: 2 };
    expect(made({ wanted: { 0: 9, 1: 1 }, settings })).toEqual({ 0: [1, 2], 1: [3] });
  });

  test("of all ids of the application", () => {
    expect(made({ wanted: 9, settings: { maximum: 4 } })).toEqual({ 0: [1, 2, 3] });
  });
});

describe("what is not needed is deleted", () => {
  const old = (id: number): ReturnType<typeof pod> => pod(id, { created: NOW - 61_000 });

  test("pods that have been pending for long, as many as are too many, and no running ones", () => {
    const delivery = listed([...running(1), old(2), old(3), pod(4)]);
    expect(plan({ wanted: 3, delivery }).actions).toEqual([{ kind: "delete-pending", ids: [2] }]);
    expect(plan({ wanted: 0, delivery }).actions).toEqual([{ kind: "delete-pending", ids: [2, 3] }]);
  });

  test("first those that were never seen", () => {
    const state = { requested: new Map([[9, { profileId: 0, at: NOW - 61_000 }]]) };
    const given = { wanted: 1, state, delivery: unchanged([old(2)]) };
    expect(plan(given).actions).toEqual([{ kind: "delete-pending", ids: [9] }]);
  });

  test("they count no more, may not register, and are asked for again if they stay", () => {
    const delivery = listed([old(1)]);
    const { state } = plan({ wanted: 0, delivery });
    expect([...state.deleted.keys()]).toEqual([1]);
    expect(made({ wanted: 1, state, delivery: unchanged([old(1)]) })).toEqual({ 0: [2] });
    expect(plan({ wanted: 0, state, delivery, now: NOW + 31_000 }).actions).toEqual([
      { kind: "delete-pending", ids: [1] },
    ]);
  });

  test("whichever runs by then counts again", () => {
    const { state } = plan({ wanted: 0, delivery: listed([old(1)]) });
    const { state: next, actions } = plan({ wanted: 1, state, delivery: listed(running(1)) });
    expect(actions).toEqual([]);
    expect(next.deleted.size).toBe(0);
  });

  test("those that were asked for and not seen in time are given up, and replaced", () => {
    const given = { wanted: 1, state: requested(1), delivery: unchanged([]), now: NOW + 600_001 };
    expect(plan(given).actions).toEqual([
      { kind: "delete-unseen", ids: [1] },
      { kind: "create", id: 2, profileId: 0 },
    ]);
    expect(plan({ ...given, settings: { deleteOnTermination: false } }).actions).toEqual([
      { kind: "create", id: 2, profileId: 0 },
    ]);
  });
});

describe("after a refusal", () => {
  const refuse = (state: AllocatorState, now: number): AllocatorState => {
    const outcome = { kind: "refused", message: "exceeded quota" } as const;
    const ids = [...state.requested.keys()];
    const creations = ids.map((id) => ({ id, profileId: 0, outcome }));
    return afterCreations(state, creations, { now, backoff: SETTINGS.backoff });
  };

  test("nothing is asked for, then one executor, with twice the wait in between", () => {
    let state = refuse(plan({ wanted: 4 }).state, NOW);
    expect(state.requested.size).toBe(0);
    const waits: number[] = [];
    let now = NOW;
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const from = now;
      while (made({ wanted: 4, state, now, delivery: unchanged([]) })[0] === undefined) now += 100;
      waits.push(now - from);
      const next = plan({ wanted: 4, state, now, delivery: unchanged([]) });
      expect(next.state.requested.size).toBe(1);
      state = refuse(next.state, now);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 4_000]);
  });

  test("the next one may be tried at once when an executor has ended: its room may be free", () => {
    const state = refuse(plan({ wanted: 4, delivery: listed(running(1)) }).state, NOW);
    const ended = { kind: "removed" as const, pod: pod(1, { phase: "failed" }) };
    expect(made({ wanted: 4, state, delivery: changed([ended], []) })[0]).toHaveLength(1);
  });

  test("one that succeeds ends the waiting", () => {
    const refused = refuse(plan({ wanted: 4 }).state, NOW);
    const { state } = plan({ wanted: 4, state: refused, now: NOW + 1_000, delivery: unchanged([]) });
    const [id = 0] = state.requested.keys();
    const outcome = { kind: "created", claims: 0 } as const;
    const next = afterCreations(state, [{ id, profileId: 0, outcome }], {
      now: NOW + 1_000,
      backoff: SETTINGS.backoff,
    });
    expect(made({ wanted: 4, state: next, delivery: listed([pod(id)]) })[0]).toHaveLength(3);
  });

  test("other profiles go on", () => {
    const state = refuse(plan({ wanted: 4 }).state, NOW);
    expect(made({ wanted: { 0: 4, 1: 2 }, state, delivery: unchanged([]) })).toEqual({ 1: [5, 6] });
  });
});

describe("executors that wait for claims", () => {
  const perExecutor = (): number => 1;

  test("are made as long as there are claims to reuse, or fewer claims than executors there may be", () => {
    const wanted = 5;
    expect(made({ wanted, claimBudget: { reusable: 0, limit: 2, perExecutor } })).toEqual({ 0: [1, 2] });
    expect(made({ wanted, claimBudget: { reusable: 2, limit: 2, perExecutor }, state: { claims: 2 } })).toEqual({
      0: [1, 2],
    });
    expect(made({ wanted, claimBudget: { reusable: 0, limit: 2, perExecutor }, state: { claims: 2 } })).toEqual({});
  });
});
