import type { KubeObject } from "@kindling/kube-objects";
import { SCHEDULER_RESTART_AT_ANNOTATION, SCHEDULER_RESTART_FINALIZER } from "@kindling/core-spec";
import { decideRestart } from "./decide-restart.ts";
import { disruptionOf, type DriverEnd, driverEnd } from "./driver-end.ts";
import { follows, nextDriver, restartsOf } from "./next-driver.ts";
import { type RestartWish, restartWish } from "./restart-wish.ts";
import type { StandIn } from "./stand-in.ts";

/** What exists under one driver's name. */
export interface Scene {
  readonly driver: KubeObject | undefined;
  readonly standIn: StandIn | undefined;
  /** Whether the driver is deleted in the foreground or with its dependents orphaned (see `isDissolved`). */
  readonly isDissolved: boolean;
  /** Executors and claims of the driver that still exist. */
  readonly leftovers: readonly KubeObject[];
}

/** What to do next. After each step the scene is read again, by this gateway or by another one. */
export type RestartStep =
  | { readonly kind: "none" }
  /** Wait for this time. */
  | { readonly kind: "wait"; readonly ms: number }
  /** Put a finalizer on the driver pod, so that it cannot disappear unseen. */
  | { readonly kind: "hold"; readonly driver: KubeObject }
  /** The driver is not restarted. */
  | { readonly kind: "release"; readonly driver: KubeObject; readonly why: string; readonly isExhausted: boolean }
  /** The driver is restarted at this time, in milliseconds since the epoch. */
  | { readonly kind: "schedule"; readonly driver: KubeObject; readonly at: number; readonly words: string }
  | { readonly kind: "clear"; readonly driver: KubeObject; readonly leftovers: readonly KubeObject[] }
  | { readonly kind: "stand-in"; readonly driver: KubeObject; readonly next: KubeObject }
  /** Give what the driver owns to its stand-in, and delete the driver. */
  | { readonly kind: "hand-over"; readonly driver: KubeObject; readonly standIn: StandIn }
  | { readonly kind: "make"; readonly standIn: StandIn }
  /** Give what the stand-in owns to the new driver, and delete the stand-in. */
  | { readonly kind: "finish"; readonly driver: KubeObject; readonly standIn: StandIn }
  /** Delete the stand-in, and what it owns with it. */
  | { readonly kind: "abandon"; readonly standIn: StandIn; readonly why: string };

const NONE: RestartStep = { kind: "none" };
/** How often objects that are being deleted are checked, in the cache. */
const LOOK_AGAIN_MS = 1_000;

/**
 * The next step of a restart. It depends only on what is in the cluster: it does not matter who did the last step, or whether
 * the answer to it was lost.
 */
export function nextStep(scene: Scene, now: number): RestartStep {
  return scene.standIn === undefined ? withoutStandIn(scene, now) : withStandIn(scene, scene.standIn);
}

function withStandIn({ driver }: Scene, standIn: StandIn): RestartStep {
  if (driver === undefined) {
    return standIn.pod.metadata.deletionTimestamp === undefined ? { kind: "make", standIn } : NONE;
  }
  if (follows(driver, standIn.endedUid)) return { kind: "finish", driver, standIn };
  if (driver.metadata.uid !== standIn.endedUid) {
    return { kind: "abandon", standIn, why: "another pod has the driver's name" };
  }
  // The application was killed between two steps.
  if (restartWish(driver) === undefined) return { kind: "abandon", standIn, why: "the application was ended" };
  return { kind: "hand-over", driver, standIn };
}

function withoutStandIn({ driver, leftovers, isDissolved }: Scene, now: number): RestartStep {
  if (driver === undefined) return NONE;
  const wish = restartWish(driver);
  if (wish === undefined) return release(driver, "it is not to be started again");
  if (isDissolved) return release(driver, "its pod was deleted in a way that leaves nothing to go on with");
  const end = driverEnd(driver, now);
  if (end === undefined) return whileItRuns(driver, wish);
  const { counted } = restartsOf(driver);
  const isOwned = (driver.metadata.ownerReferences ?? []).length > 0;
  const decision = decideRestart({ wish, end, counted, isOwned });
  if (decision.kind === "none") return release(driver, decision.why, decision.isExhausted);
  const at = scheduledAt(driver);
  if (at === undefined) return { kind: "schedule", driver, at: whenDue(end, decision.pauseMs, now), words: end.words };
  if (leftovers.length > 0) return { kind: "clear", driver, leftovers };
  if (at > now) return { kind: "wait", ms: at - now };
  return { kind: "stand-in", driver, next: nextDriver(driver, { counted: decision.counted, words: end.words }) };
}

function whileItRuns(driver: KubeObject, { when }: RestartWish): RestartStep {
  const { deletionTimestamp, deletionGracePeriodSeconds } = driver.metadata;
  if (deletionTimestamp === undefined) return isHeld(driver) ? NONE : { kind: "hold", driver };
  // If the cluster ends a pod, it sets a condition on it first.
  if (when === "onFailure" && disruptionOf(driver) === undefined) return release(driver, "its pod was deleted");
  return deletionGracePeriodSeconds === 0 ? { kind: "wait", ms: LOOK_AGAIN_MS } : NONE;
}

function release(driver: KubeObject, why: string, isExhausted = false): RestartStep {
  const isMarked = isHeld(driver) || scheduledAt(driver) !== undefined;
  return isMarked ? { kind: "release", driver, why, isExhausted } : NONE;
}

function isHeld({ metadata: { finalizers = [] } }: KubeObject): boolean {
  return finalizers.includes(SCHEDULER_RESTART_FINALIZER);
}

/** When a driver is to be restarted, as recorded on its pod. */
function scheduledAt({ metadata: { annotations = {} } }: KubeObject): number | undefined {
  const time = Date.parse(annotations[SCHEDULER_RESTART_AT_ANNOTATION] ?? "");
  return Number.isNaN(time) ? undefined : time;
}

/** The node's clock may be wrong, so the restart is at most one pause from now. */
function whenDue({ at }: DriverEnd, pauseMs: number, now: number): number {
  return Math.min(Math.max(at + pauseMs, now), now + pauseMs);
}
