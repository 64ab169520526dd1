import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Controller } from "./controller.ts";
import { lead, type LeaseSettings } from "./leadership.ts";
import { createUndo } from "./undo.ts";
import { type ControllerLog, type RunningController, startController, type WorkersOptions } from "./workers.ts";

/** How a controller is run, beside what its term gives it. */
export type RunOptions = Pick<WorkersOptions, "backOff" | "observer" | "onFault">;

/** A time in which this process acts. It knows nothing of those before. */
export interface Term {
  /** Writes only while this process may act. */
  readonly client: KubeClient;
  /** Runs a controller to the end of the term. */
  run(controller: Controller, options?: RunOptions): RunningController;
  /**
   * Adds what is to be undone at the end. What was begun last is undone first; controllers are stopped together, where the
   * first of them stands in that order.
   */
  onEnd(undo: () => unknown): void;
}

/** A term that somebody has to end. */
export interface OpenTerm extends Term {
  /** Resolves when nothing is being done any more. */
  end(): Promise<void>;
}

export interface TermOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly log: ControllerLog;
}

/** Begins a term in which nothing is done yet. */
export function openTerm({ client, clock, random, log }: TermOptions): OpenTerm {
  const undo = createUndo();
  const controllers: RunningController[] = [];
  return {
    client,
    run(controller, options) {
      const running = startController(controller, { clock, random, log, ...options });
      // They are stopped together: none goes on while another one finishes what is under way.
      if (controllers.length === 0) undo.add(() => Promise.all(controllers.map((one) => one.stop())));
      controllers.push(running);
      return running;
    },
    onEnd: (step) => undo.add(step),
    end: () => undo.run(),
  };
}

export interface ManagerOptions extends TermOptions {
  /** Without one, this process always leads. */
  readonly lease: LeaseSettings | undefined;
  /** Tells this process from all others. */
  readonly identity: string;
  /** Begins to act: runs controllers, and says what else is to be undone. */
  readonly begin: (term: Term) => void;
}

/** Has controllers act while this process leads. */
export interface Manager {
  readonly isLeading: boolean;
  /** Ends the term, and then gives the lease back. */
  stop(): Promise<void>;
}

/** Acts at once, or as soon as the lease is held. */
export function startManager({ begin, ...options }: ManagerOptions): Manager {
  return lead({
    ...options,
    begin(writing) {
      const term = openTerm({ ...options, client: writing });
      try {
        begin(term);
      } catch (error) {
        // What has been begun must not go on beside the next attempt.
        void term.end();
        throw error;
      }
      return () => term.end();
    },
  });
}
