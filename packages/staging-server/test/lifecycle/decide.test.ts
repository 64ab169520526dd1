import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BundleState, OwnerState } from "@kindling/staging-client";
import { decide, expiresIn, type BundleLife } from "../../src/lifecycle/decide.ts";

const POLICY = { orphanGraceSeconds: 600, maxAgeSeconds: 7 * 86_400, slackSeconds: 0 };
const DAY = 86_400;

function life(state: BundleState, since = 0, createdAt = 0): BundleLife {
  return { state, since, createdAt, unusedSeconds: 1800 };
}

describe("what becomes of a bundle", () => {
  it.each<[string, BundleState, OwnerState, number, string]>([
    ["unused, its owner not created yet", "unused", "absent", 1800, "keep"],
    ["unused for too long", "unused", "absent", 1801, "delete unused"],
    ["unused, and its owner already failed", "unused", "finished", 1801, "delete unused"],
    ["unused, its pod waiting for room for two days", "unused", "present", 2 * DAY, "become used"],
    ["unused, API server away for two days", "unused", "unknown", 2 * DAY, "keep"],
    ["unused, owners not watched", "unused", "unwatched", 1801, "delete unused"],
    ["used, its owner running", "used", "present", 30 * DAY, "keep"],
    ["used, its owner gone", "used", "absent", 1, "become orphan"],
    ["used, its owner succeeded", "used", "finished", 1, "become orphan"],
    ["used, API server away", "used", "unknown", 30 * DAY, "keep"],
    ["used, owners not watched", "used", "unwatched", 7 * DAY, "keep"],
    ["used, owners not watched, too old", "used", "unwatched", 7 * DAY + 1, "delete max-age"],
    ["orphan within its grace", "orphan", "absent", 600, "keep"],
    ["orphan after its grace", "orphan", "absent", 601, "delete owner-gone"],
    ["orphan whose owner is back", "orphan", "present", 601, "become used"],
    ["orphan, API server away", "orphan", "unknown", 30 * DAY, "keep"],
  ])("%s", (_case, state, owner, now, wanted) => {
    const decision = decide(life(state), owner, now, POLICY);
    const { action, ...rest } = decision;
    expect([action, ...Object.values(rest)].join(" ")).toBe(wanted);
  });
});

const anyLife = fc.record({
  state: fc.constantFrom<BundleState>("unused", "used", "orphan"),
  since: fc.nat(1e6),
  createdAt: fc.nat(1e6),
  unusedSeconds: fc.nat(1e5),
});

it("never deletes without knowing that the owner is not running", () => {
  fc.assert(
    fc.property(anyLife, fc.constantFrom<OwnerState>("present", "unknown"), fc.nat(1e9), (one, owner, now) => {
      expect(decide(one, owner, now, POLICY).action).not.toBe("delete");
      expect(expiresIn(one, owner, now, POLICY)).toBeUndefined();
    }),
  );
});

it("keeps what it says will be kept", () => {
  const owners = fc.constantFrom<OwnerState>("absent", "finished", "unwatched");
  const promise = fc.property(anyLife, owners, fc.nat(1e7), (one, owner, now) => {
    const left = expiresIn(one, owner, now, POLICY) ?? Infinity;
    return left === 0 || decide(one, owner, now, POLICY).action !== "delete";
  });
  expect(fc.check(promise).failed).toBe(false);
});

it("lets slack only lengthen lives", () => {
  const owners = fc.constantFrom<OwnerState>("absent", "unwatched");
  const lengthens = fc.property(anyLife, owners, fc.nat(1e7), (one, owner, now) => {
    const withSlack = decide(one, owner, now, { ...POLICY, slackSeconds: 90 }).action;
    return withSlack !== "delete" || decide(one, owner, now, POLICY).action === "delete";
  });
  expect(fc.check(lengthens).failed).toBe(false);
});
