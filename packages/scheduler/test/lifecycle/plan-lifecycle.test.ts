import { describe, expect, test } from "vitest";
import type { ExecutorPod } from "../../src/executor-pod/executor-pod.ts";
import { type Farewell, type LifecycleState, NEW_LIFECYCLE } from "../../src/lifecycle/lifecycle-state.ts";
import { type LifecycleInput, type LifecyclePlan, planLifecycle } from "../../src/lifecycle/plan-lifecycle.ts";
import type { LifecycleSettings } from "../../src/lifecycle/lifecycle-settings.ts";
import { changed, listed, NOW, pod, running, unchanged } from "../support/executor-pods.ts";

const SETTINGS: LifecycleSettings = {
  eventProcessingIntervalMs: 1_000,
  deleteOnTermination: true,
  missingPodDetectDeltaMs: 30_000,
  removedCacheMs: 180_000,
  deleteGracePeriodMs: 5_000,
  maxExecutorFailures: 3,
  failuresValidityMs: undefined,
};

interface Look extends Partial<LifecycleInput> {
  readonly state?: Partial<LifecycleState>;
  readonly settings?: Partial<LifecycleSettings>;
}

function look({ state, settings, ...input }: Look): LifecyclePlan {
  const given = { delivery: listed([]), registered: new Map<number, number>(), now: NOW, ...input };
  return planLifecycle({ ...NEW_LIFECYCLE, ...state }, { ...SETTINGS, ...settings }, given);
}

const ended = (id: number, exitCode: number, more: Partial<ExecutorPod> = {}): ExecutorPod =>
  pod(id, {
    phase: exitCode === 0 ? "succeeded" : "failed",
    termination: { exitCode, reason: undefined, message: undefined },
    ...more,
  });

const farewell = (id: number, kind: Farewell["kind"], at: number = NOW): Pick<LifecycleState, "farewells"> => ({
  farewells: new Map([[id, { kind, at }]]),
});

describe("the end of an executor is told", () => {
  test.each([
    { exitCode: 0, words: "exit code 0(success)" },
    { exitCode: 1, words: "exit code 1(generic, look at logs to clarify)" },
    { exitCode: 52, words: "exit code 52(JVM OOM)" },
    { exitCode: 137, words: "exit code 137(SIGKILL, possible container OOM)" },
    { exitCode: 3, words: "exit code 3(unexpected)" },
  ])("with what exit code $exitCode means", ({ exitCode, words }) => {
    const [exit] = look({ delivery: listed([ended(1, exitCode)]) }).exits;
    expect(exit).toMatchObject({ id: 1, kind: "exited", exitCode, causedByApp: true });
    expect(exit?.message).toContain(words);
  });

  test("with the pod's and the container's reasons", () => {
    const termination = { exitCode: 137, reason: "OOMKilled", message: undefined };
    const evicted = ended(1, 137, { reason: "Evicted", message: "The node was low on memory.", termination });
    const [exit] = look({ delivery: listed([evicted]) }).exits;
    expect(exit?.message).toMatch(/Evicted[\s\S]*low on memory[\s\S]*OOMKilled/);
  });

  test("of a pod that somebody has deleted, as nobody's failure", () => {
    const deleted = pod(1, { phase: "deleted", deleting: true });
    expect(look({ delivery: listed([deleted]) }).exits).toMatchObject([
      { id: 1, kind: "deleted", exitCode: -1, causedByApp: false },
    ]);
  });

  test("once, whatever is seen of it later", () => {
    const first = look({ delivery: listed([ended(1, 1)]) });
    const again = look({ state: first.state, delivery: listed([ended(1, 1)]), now: NOW + 1_000 });
    const gone = changed([{ kind: "removed", pod: ended(1, 1) }], []);
    expect([first, again, look({ state: again.state, delivery: gone })].map(({ exits }) => exits.length)).toEqual([
      1, 0, 0,
    ]);
  });

  test("also where its pod came and went between two looks", () => {
    const changes = [
      { kind: "updated" as const, pod: pod(1) },
      { kind: "removed" as const, pod: pod(1, { phase: "deleted" }) },
    ];
    expect(look({ delivery: changed(changes, []) }).exits).toHaveLength(1);
  });

  test("not of pods that were marked as ended", () => {
    const { exits, actions } = look({ delivery: listed([ended(1, 1, { inactive: true })]) });
    expect([exits, actions]).toEqual([[], []]);
  });
});

describe("an executor that no list shows any more", () => {
  const registered = new Map([[1, NOW]]);

  test("is lost when it has not been shown for long enough, and a new list does not show it", () => {
    const { state } = look({ delivery: listed(running(1)), registered });
    const missing = (at: number): unknown[] => [
      ...look({ state, registered, delivery: listed([], at), now: at }).exits.map(({ kind }) => kind),
    ];
    expect(missing(NOW + 30_000)).toEqual([]);
    expect(missing(NOW + 30_001)).toEqual(["missing"]);
  });

  test("is not lost by the same list again", () => {
    const { state } = look({ delivery: listed([]), registered });
    const later = { state, registered, delivery: unchanged([]), now: NOW + 60_000 };
    expect(look(later).exits).toEqual([]);
  });

  test("is lost even if it never registered", () => {
    const { state } = look({ delivery: listed([pod(1)]) });
    const at = NOW + 30_001;
    expect(look({ state, delivery: listed([], at), now: at }).exits).toMatchObject([{ id: 1, kind: "missing" }]);
  });
});

describe("the pod of an executor that has ended", () => {
  test("is deleted, and again where that shows no effect", () => {
    const delivery = listed([ended(1, 1)]);
    const first = look({ delivery });
    expect(first.actions).toEqual([{ kind: "delete-ended", id: 1, pod: "exec-1", uid: "uid-1" }]);
    const { state } = first;
    expect(look({ state, delivery: unchanged([ended(1, 1)]), now: NOW + 1_000 }).actions).toEqual([]);
    expect(look({ state, delivery: unchanged([ended(1, 1)]), now: NOW + 30_000 }).actions).toHaveLength(1);
  });

  test("is left alone where somebody deletes it already", () => {
    expect(look({ delivery: listed([ended(1, 1, { deleting: true })]) }).actions).toEqual([]);
  });

  test("is marked where it is to be kept", () => {
    const { actions } = look({ settings: { deleteOnTermination: false }, delivery: listed([ended(1, 1)]) });
    expect(actions).toEqual([{ kind: "mark-inactive", id: 1, pod: "exec-1" }]);
  });
});

describe("an executor that is told to go", () => {
  test("is deleted if it still runs after the grace period", () => {
    const state = farewell(1, "killed");
    const delivery = listed(running(1));
    expect(look({ state, delivery, now: NOW + 4_999 }).actions).toEqual([]);
    expect(look({ state, delivery, now: NOW + 5_000 }).actions).toEqual([{ kind: "delete-killed", ids: [1] }]);
  });

  test("is deleted at once, gracefully, to hand over its work", () => {
    const state = farewell(1, "decommissioned");
    expect(look({ state, delivery: listed(running(1)) }).actions).toEqual([{ kind: "decommission", ids: [1] }]);
    const leaving = pod(1, { phase: "running", deleting: true });
    expect(look({ state, delivery: listed([leaving]) }).actions).toEqual([]);
  });

  test.each(["killed", "decommissioned"] as const)("is told of as %s, and no task is to blame", (kind) => {
    const { exits } = look({ state: farewell(1, kind), delivery: listed([ended(1, 143)]) });
    expect(exits).toMatchObject([{ id: 1, kind, exitCode: 143, causedByApp: false }]);
  });
});

describe("failures", () => {
  test("are executors that failed, each counted once", () => {
    const first = look({ delivery: listed([ended(1, 1), ended(2, 1), ended(3, 0)]) });
    expect(first.failures).toBe(2);
    expect(look({ state: first.state, delivery: listed([ended(1, 1), ended(4, 1)]) }).failures).toBe(3);
  });

  test("count for as long as they are valid", () => {
    const settings = { failuresValidityMs: 60_000 };
    const { state } = look({ settings, delivery: listed([ended(1, 1)]) });
    expect(look({ settings, state, delivery: unchanged([]), now: NOW + 60_000 }).failures).toBe(1);
    expect(look({ settings, state, delivery: unchanged([]), now: NOW + 60_001 }).failures).toBe(0);
  });
});
