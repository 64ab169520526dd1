import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Controller } from "./controller.ts";
import { lead, type LeaseSettings } from "./leadership.ts";
import { createUndo } from "./undo.ts";
import { type ControllerLog, type RunningController, startController, type WorkersOptions } from "./workers.ts";

/** Options for running a controller, besides those that its term sets. */
export type RunOptions = Pick<WorkersOptions, "backOff" | "observer" | "onFault">;

/** A period in which this process acts. It knows nothing of earlier terms. */
export interface Term {
  /** Writes only while this process may act. */
  readonly client: KubeClient;
  /** Whether this process may act at this moment, for writes elsewhere than in the cluster. */
  readonly isHeld: () => boolean;
  /** Runs a controller to the end of the term. */
  run(controller: Controller, options?: RunOptions): RunningController;
  /**
   * Adds a function to call at the end. They are called in reverse order. All controllers are stopped together, at the place
   * of the first controller in that order.
   */
  onEnd(undo: () => unknown): void;
}

/** A term that the caller must end. */
export interface OpenTerm extends Term {
  /** Resolves when all work has ended. */
  end(): Promise<void>;
}

export interface TermOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** Default: always. */
  readonly isHeld?: (() => boolean) | undefined;
  readonly log: ControllerLog;
}

/** Begins a term without any controllers. */
export function openTerm({ client, clock, random, log, isHeld = () => true }: TermOptions): OpenTerm {
  const undo = createUndo();
  const controllers: RunningController[] = [];
  return {
    client,
    isHeld,
    run(controller, options) {
      const running = startController(controller, { clock, random, log, ...options });
      // They are stopped together: none continues while another one finishes its work.
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
  /** Begins to act: runs controllers, and adds what must be undone at the end. */
  readonly begin: (term: Term) => void;
}

/** Runs controllers while this process leads. */
export interface Manager {
  readonly isLeading: boolean;
  /** Ends the term, and then releases the lease. */
  stop(): Promise<void>;
}

/** Acts at once, or as soon as the lease is held. */
export function startManager({ begin, ...options }: ManagerOptions): Manager {
  return lead({
    ...options,
    begin(writing, isHeld) {
      const term = openTerm({ ...options, client: writing, isHeld });
      try {
        begin(term);
      } catch (error) {
        // Controllers that have been started must not continue next to the next attempt.
        void term.end();
        throw error;
      }
      return () => term.end();
    },
  });
}
