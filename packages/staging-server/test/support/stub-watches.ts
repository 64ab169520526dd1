import type { ServerResponse } from "node:http";

/** An object of a stub of the API server. */
export interface Stored {
  readonly metadata: {
    name: string;
    namespace: string;
    uid: string;
    resourceVersion: string;
    labels: Record<string, string>;
  };
  readonly status?: unknown;
}

export interface Watch {
  readonly collection: string;
  readonly selector: string;
  readonly response: ServerResponse;
}

export interface HistoryEvent {
  readonly collection: string;
  readonly type: string;
  readonly object: Stored;
  /** As it was before. */
  readonly previous: Stored | undefined;
  readonly version: number;
}

/** Tells watches of an event that concerns them. */
export function tell(to: Iterable<Watch>, { collection: name, type, object, previous }: HistoryEvent): void {
  for (const { collection: watched, selector, response } of to) {
    const selects = (one: Stored): boolean => selector === "" || selector in one.metadata.labels;
    const wasSelected = previous !== undefined && selects(previous);
    if (watched !== name || !(selects(object) || wasSelected)) continue;
    // What ceases to match looks as if it were deleted.
    const shown = selects(object) ? type : "DELETED";
    response.write(`${JSON.stringify({ type: shown, object })}\n`);
  }
}
