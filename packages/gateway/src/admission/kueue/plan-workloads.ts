import type { Admission, Workload } from "./workload.ts";

/** An application that waits in a LocalQueue, as the plan sees it. */
export interface KueueApplication {
  readonly driver: {
    readonly state: "gated" | "started" | "over";
    readonly isRunning: boolean;
    /** Whether Kueue's own integration counts the driver. */
    readonly isManaged: boolean;
  };
  /** How many executors are admitted together with the driver. */
  readonly minimum: number;
  /** By the id of the resource profile. */
  readonly profiles: ReadonlyMap<string, ProfileDemand>;
}

/** The executors of one resource profile. */
export interface ProfileDemand {
  readonly waiting: number;
  /** Executors that exist, by the flavors of their Workload. */
  readonly held: ReadonlyMap<string, HeldExecutors>;
}

export interface HeldExecutors {
  readonly running: number;
  /** Including running ones. */
  readonly staying: number;
  readonly leaving: number;
}

export type WorkloadStep =
  | { readonly kind: "create"; readonly part: Workload["part"]; readonly profile: string; readonly executors: number }
  /** Changes what a pending Workload asks for. */
  | { readonly kind: "ask"; readonly workload: Workload; readonly executors: number }
  /** Keeps only so much of what a Workload has. */
  | { readonly kind: "keep"; readonly workload: Workload; readonly executors: number }
  | { readonly kind: "delete" | "release" | "ready" | "finish"; readonly workload: Workload }
  /** Opens the driver's gate. */
  | { readonly kind: "start"; readonly workload: Workload | undefined }
  /** Ends the driver, because Kueue has evicted it. */
  | { readonly kind: "end"; readonly workload: Workload }
  | { readonly kind: "admit"; readonly workload: Workload; readonly executors: number }
  /** Asks executors with these flavors to leave. */
  | { readonly kind: "leave"; readonly workload: Workload; readonly executors: number };

export interface WorkloadPlan {
  readonly steps: readonly WorkloadStep[];
  /** How many executors have quota that they do not use. */
  readonly unused: number;
}

/** The resource profile of the minimum executors: Spark's default profile. */
export const CORE_PROFILE = "0";

const NOBODY: HeldExecutors = { running: 0, staying: 0, leaving: 0 };

type Granted = Workload & { readonly state: Admission };

/**
 * What to do with the Workloads of an application: pure, and the same for the same input. Kueue admits a Workload as a whole
 * or in part, and takes it back only as a whole. So the driver and its minimum executors are one Workload; what the driver
 * asks for beyond these are further ones. Those that were admitted only shrink, and what is still missing is in one that is
 * pending. Executors are not bound to Workloads: for each flavor only the numbers have to agree.
 *
 * @param workloads those of this application, the core first, then by age
 * @param mayGiveBack whether quota that is not used is given back now
 */
export function planWorkloads(
  application: KueueApplication,
  workloads: readonly Workload[],
  mayGiveBack: boolean,
): WorkloadPlan {
  if (application.driver.state === "over") return { steps: afterTheEnd(application, workloads), unused: 0 };
  const core = workloads.find(({ part }) => part === "core");
  const steps = coreSteps(application, core);
  // While the driver ends, its executors end as well. Nothing runs before its start.
  if (core?.state.kind === "evicted" || application.driver.state === "gated") return { steps, unused: 0 };
  const profiles = new Set([...application.profiles.keys(), ...workloads.map(({ profile }) => profile)]);
  let unused = 0;
  for (const profile of profiles) {
    const own = workloads.filter((workload) => workload.profile === profile);
    const plan = planProfile(profile, application.profiles.get(profile), own, mayGiveBack);
    steps.push(...plan.steps, ...readySteps(application, own));
    unused += plan.unused;
  }
  return { steps, unused };
}

/** The executors that count for a Workload of these flavors. */
export function flavorsKey({ executorNodes }: Pick<Admission, "executorNodes">): string {
  return executorNodes.flavors.join(",");
}

function coreSteps({ driver, minimum }: KueueApplication, core: Workload | undefined): WorkloadStep[] {
  const isNeeded = !driver.isManaged || minimum > 0;
  if (!isNeeded) return driver.state === "gated" ? [{ kind: "start", workload: undefined }] : [];
  if (core === undefined) return [{ kind: "create", part: "core", profile: CORE_PROFILE, executors: minimum }];
  if (core.state.kind === "evicted") {
    return [{ kind: driver.state === "gated" ? "release" : "end", workload: core }];
  }
  return core.state.kind === "admitted" && driver.state === "gated" ? [{ kind: "start", workload: core }] : [];
}

function planProfile(
  profile: string,
  demand: ProfileDemand | undefined,
  workloads: readonly Workload[],
  mayGiveBack: boolean,
): WorkloadPlan {
  const { waiting = 0, held = new Map<string, HeldExecutors>() } = demand ?? {};
  const admitted = workloads.filter((one): one is Granted => one.state.kind === "admitted");
  const evicted = workloads.filter((one): one is Granted => one.state.kind === "evicted");
  const pending = workloads.filter(({ state }) => state.kind === "pending");
  const heldOf = (flavors: string): HeldExecutors => held.get(flavors) ?? NOBODY;
  const free = freeOf(admitted, heldOf);
  const steps: WorkloadStep[] = [];

  let left = waiting;
  // The free places are those of the latest Workloads. What admission checks want for these pods is in the same Workload.
  for (const workload of admitted.toReversed()) {
    const executors = Math.min(left, freeFor(free, workload));
    if (executors > 0) steps.push({ kind: "admit", workload, executors });
    left -= executors;
    use(free, workload, executors);
  }
  steps.push(...evictionSteps(admitted, evicted, heldOf));

  const staying = [...held.values()].reduce((sum, one) => sum + one.staying, 0);
  const granted = sumOf(admitted.map(({ state }) => state.executors));
  const asked = sumOf([...pending, ...evicted].map(({ executors }) => executors));
  const missing = staying + waiting - granted - asked;
  if (missing > 0) {
    const last = pending.findLast(({ part }) => part === "surplus");
    steps.push(
      last === undefined
        ? { kind: "create", part: "surplus", profile, executors: missing }
        : { kind: "ask", workload: last, executors: last.executors + missing },
    );
  }
  const shrinking = shrinkSteps(-missing, { pending, admitted, free });
  steps.push(...shrinking.asksLess, ...(mayGiveBack ? shrinking.givesBack : []));
  return { steps, unused: shrinking.unused };
}

/** How many more executors there may be, by flavors. */
function freeOf(admitted: readonly Granted[], heldOf: (flavors: string) => HeldExecutors): Map<string, number> {
  const free = new Map<string, number>();
  for (const { state } of admitted) free.set(flavorsKey(state), (free.get(flavorsKey(state)) ?? 0) + state.executors);
  for (const [flavors, count] of free) {
    const { staying, leaving } = heldOf(flavors);
    free.set(flavors, Math.max(0, count - staying - leaving));
  }
  return free;
}

function freeFor(free: ReadonlyMap<string, number>, { state }: Granted): number {
  return Math.min(free.get(flavorsKey(state)) ?? 0, state.executors);
}

function use(free: Map<string, number>, { state }: Granted, count: number): void {
  free.set(flavorsKey(state), (free.get(flavorsKey(state)) ?? 0) - count);
}

/**
 * For each flavor, as many executors leave as evicted Workloads stand for and others do not cover. A Workload is released as
 * soon as the executors that are still there are covered without it.
 */
function evictionSteps(
  admitted: readonly Granted[],
  evicted: readonly Granted[],
  heldOf: (flavors: string) => HeldExecutors,
): WorkloadStep[] {
  const steps: WorkloadStep[] = [];
  for (const flavors of new Set(evicted.map(({ state }) => flavorsKey(state)))) {
    const isOfFlavors = ({ state }: Granted): boolean => flavorsKey(state) === flavors;
    const own = evicted.filter(isOfFlavors);
    const { staying, leaving } = heldOf(flavors);
    const covered = sumOf(admitted.filter(isOfFlavors).map(({ state }) => state.executors));
    let over = Math.max(0, staying + leaving - covered);
    const toLeave = Math.min(over, sumOf(own.map(({ state }) => state.executors))) - leaving;
    for (const workload of own) {
      if (over === 0) steps.push({ kind: "release", workload });
      over = Math.max(0, over - workload.state.executors);
    }
    const [first] = own;
    if (first !== undefined && toLeave > 0) steps.push({ kind: "leave", workload: first, executors: toLeave });
  }
  return steps;
}

/** What to give up of pending Workloads, and then of quota that is not used; the latest Workloads first. */
function shrinkSteps(
  spare: number,
  {
    pending,
    admitted,
    free,
  }: {
    readonly pending: readonly Workload[];
    readonly admitted: readonly Granted[];
    readonly free: Map<string, number>;
  },
): {
  readonly asksLess: readonly WorkloadStep[];
  readonly givesBack: readonly WorkloadStep[];
  readonly unused: number;
} {
  const asksLess: WorkloadStep[] = [];
  const givesBack: WorkloadStep[] = [];
  let left = Math.max(0, spare);
  const isSurplus = ({ part }: Workload): boolean => part === "surplus";
  for (const workload of pending.filter(isSurplus).toReversed()) {
    const less = Math.min(left, workload.executors);
    if (less === 0) continue;
    left -= less;
    const executors = workload.executors - less;
    asksLess.push(executors === 0 ? { kind: "delete", workload } : { kind: "ask", workload, executors });
  }
  let unused = 0;
  for (const workload of admitted.filter(isSurplus).toReversed()) {
    const less = Math.min(left, freeFor(free, workload));
    if (less === 0) continue;
    left -= less;
    unused += less;
    use(free, workload, less);
    const executors = workload.state.executors - less;
    givesBack.push(executors === 0 ? { kind: "delete", workload } : { kind: "keep", workload, executors });
  }
  return { asksLess, givesBack, unused };
}

/** Kueue may wait for the pods of a Workload (`waitForPodsReady`), and would evict it after a time. */
function readySteps({ driver, profiles }: KueueApplication, workloads: readonly Workload[]): WorkloadStep[] {
  const running = new Map<string, number>();
  const steps: WorkloadStep[] = [];
  for (const workload of workloads) {
    const { state, profile, part } = workload;
    if (state.kind !== "admitted") continue;
    const flavors = flavorsKey(state);
    const left = running.get(flavors) ?? profiles.get(profile)?.held.get(flavors)?.running ?? 0;
    running.set(flavors, left - state.executors);
    const isReady = left >= state.executors && (part === "surplus" || driver.isRunning);
    if (isReady && !workload.isReady) steps.push({ kind: "ready", workload });
  }
  return steps;
}

/** The driver has ended: its quota is given back when its executors are gone. */
function afterTheEnd({ profiles }: KueueApplication, workloads: readonly Workload[]): WorkloadStep[] {
  const held = [...profiles.values()].flatMap(({ held: of }) => [...of.values()]);
  if (held.some(({ staying, leaving }) => staying + leaving > 0)) return [];
  return workloads.flatMap((workload): WorkloadStep[] => {
    if (workload.part === "surplus") return [{ kind: "delete", workload }];
    return workload.state.kind === "finished" ? [] : [{ kind: "finish", workload }];
  });
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
