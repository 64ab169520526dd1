/** How a look at a key ended. A look that asks for another one later, without a fault, is a `success`. */
export type WorkResult = "success" | "error" | "requeue";

/** Is told of what happens in a queue of keys and to its workers. */
export interface WorkObserver {
  /** A key is to be worked on as soon as there is a worker. */
  added(key: string): void;
  /** A key is to be worked on later: after a while, or again after a fault. */
  retried(key: string): void;
  started(key: string): void;
  ended(key: string, result: WorkResult): void;
  /** Nothing of what was waiting will be worked on any more. */
  stopped(): void;
}
