import { diagnose, type Diagnosis, type PodState } from "@kindling/diagnosis";
import type { KubeClient } from "@kindling/kube";
import { sleep, type Clock } from "@kindling/outside";
import { gatherEvidence } from "./gather-evidence.ts";

export interface CheckupOptions {
  readonly driverContainer: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The last known state of the driver pod. */
  readonly driver: () => PodState | undefined;
  /** Called when the problem changes, and again after a while if it stays the same. */
  readonly tell: (diagnosis: Diagnosis) => void;
}

/** If the application goes on by itself within this time, there is no problem. */
const FIRST_MS = 10_000;
const LONGEST_MS = 60_000;
const AGAIN_MS = 5 * 60_000;

/** Examines a running application again and again until the signal is aborted: less often while nothing changes. */
export async function checkups(client: KubeClient, options: CheckupOptions): Promise<void> {
  const { clock, signal, driver, driverContainer, tell } = options;
  let pause = FIRST_MS;
  let told = { key: "", at: 0 };
  for (;;) {
    await sleep(clock, pause, signal);
    if (signal.aborted) return;
    const now = driver();
    if (now === undefined) continue;
    const diagnosis = diagnose(await gatherEvidence(client, now, { driverContainer, signal }), clock.now());
    if (signal.aborted) return;
    const key = keyOf(diagnosis);
    const isNew = key !== told.key;
    if (key !== "" && (isNew || clock.monotonic() - told.at > AGAIN_MS)) {
      tell(diagnosis);
      told = { key, at: clock.monotonic() };
    } else if (isNew) told = { key, at: 0 };
    pause = isNew ? FIRST_MS : Math.min(LONGEST_MS, pause * 1.5);
  }
}

/**
 * What is wrong, without the number of attempts, the time, and the current step of a repeated attempt. One pod or several
 * is a difference: the first of many executors may be seen before the others have been created.
 */
function keyOf({ findings }: Diagnosis): string {
  return findings
    .map(({ role, cause, container, pods }) => [role, cause, container, pods.length > 1].join(" "))
    .join("; ");
}
