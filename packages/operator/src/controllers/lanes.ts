import { createWorkQueue, perKeyBackoff, type WorkQueue } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { WorkObserver } from "../metrics/work-observer.ts";
import { FairTurns } from "./fair-turns.ts";

export interface LanesOptions {
  readonly clock: Clock;
  /** How many keys are worked on at a time in each lane. */
  readonly workers: { readonly states: number; readonly submissions: number };
  /** Looks at an application. Answers `submit` to have it submitted in the other lane. */
  readonly look: (key: string) => Promise<"done" | "submit">;
  readonly submit: (key: string) => Promise<void>;
  /** Told of what was thrown; the key is tried again later. */
  readonly onFault: (key: string, error: unknown) => void;
  /** Told of what happens in each lane. */
  readonly observers?: { readonly states: WorkObserver; readonly submissions: WorkObserver } | undefined;
}

/**
 * Two lanes of work, so that many submissions do not hold up the states of applications that run. A key is worked on in one
 * of them at a time. Submissions of different namespaces take turns.
 */
export interface Lanes {
  add(key: string): void;
  addAfter(key: string, milliseconds: number): void;
  /** Tries a key again after a wait that grows with its failures. */
  retry(key: string): void;
  /** How many keys wait in the lane of states and in the one of submissions. */
  readonly waiting: { readonly states: number; readonly submissions: number };
  readonly busy: number;
  /** Takes no more work; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** As controller-runtime's: from 5 ms; a minute at most, since nothing is lost by looking. */
const LONGEST_BACKOFF_MS = 60_000;

/** Timers of Node take no more than 24 days; an early look finds nothing to do and waits again. */
const LONGEST_WAIT_MS = 6 * 3_600_000;

export function startLanes({ clock, workers, look, submit, onFault, observers }: LanesOptions): Lanes {
  const rateLimiter = perKeyBackoff<string>(5, LONGEST_BACKOFF_MS);
  const states = createWorkQueue<string>({ clock, rateLimiter });
  const submissions = new FairTurns();
  const inSubmission = new Set<string>();
  const again = new Set<string>();
  const retried = new Set<string>();
  let busy = 0;
  let isStopping = false;

  function addState(key: string): void {
    observers?.states.added(key);
    states.add(key);
  }

  function addAgain(key: string): void {
    observers?.states.retried(key);
    states.addRateLimited(key);
  }

  async function work(
    queue: Pick<WorkQueue<string>, "get">,
    task: (key: string) => Promise<void>,
    done: (key: string) => void,
    observer: WorkObserver | undefined,
  ): Promise<void> {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      if (isStopping) {
        done(key);
        continue;
      }
      busy += 1;
      observer?.started(key);
      try {
        await task(key);
        const isRetried = retried.delete(key);
        // What is handed over to be submitted has not succeeded yet.
        if (!isRetried && !inSubmission.has(key)) states.forget(key);
        observer?.ended(key, isRetried ? "requeue" : "success");
      } catch (error) {
        observer?.ended(key, "error");
        onFault(key, error);
        addAgain(key);
      } finally {
        busy -= 1;
        done(key);
      }
    }
  }

  async function lookAt(key: string): Promise<void> {
    if (inSubmission.has(key)) {
      again.add(key);
      return;
    }
    if ((await look(key)) === "done") return;
    inSubmission.add(key);
    observers?.submissions.added(key);
    submissions.add(key);
  }

  async function submitOne(key: string): Promise<void> {
    try {
      await submit(key);
    } finally {
      inSubmission.delete(key);
      if (again.delete(key)) addState(key);
    }
  }

  const running = [
    ...Array.from({ length: workers.states }, () => work(states, lookAt, (key) => states.done(key), observers?.states)),
    ...Array.from({ length: workers.submissions }, () =>
      work(submissions, submitOne, () => undefined, observers?.submissions),
    ),
  ];
  return {
    add: addState,
    addAfter(key, milliseconds) {
      observers?.states.retried(key);
      states.addAfter(key, Math.min(milliseconds, LONGEST_WAIT_MS));
    },
    retry(key) {
      retried.add(key);
      addAgain(key);
    },
    get waiting() {
      return { states: states.size, submissions: submissions.size };
    },
    get busy() {
      return busy;
    },
    async stop() {
      isStopping = true;
      states.shutDown();
      submissions.shutDown();
      await Promise.all(running);
      observers?.states.stopped();
      observers?.submissions.stopped();
    },
  };
}
