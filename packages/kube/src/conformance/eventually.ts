import { sleep, systemClock } from "@kindling/outside";

const DEADLINE_MS = 50_000;
const PAUSE_MS = 5;

/** Waits for a condition; rejects with the description when it does not come true in time. */
export async function eventually(description: string, isTrue: () => boolean): Promise<void> {
  const deadline = systemClock.monotonic() + DEADLINE_MS;
  while (!isTrue()) {
    if (systemClock.monotonic() > deadline) {
      throw new Error(`this did not happen within ${DEADLINE_MS} ms: ${description}`);
    }
    await sleep(systemClock, PAUSE_MS);
  }
}
