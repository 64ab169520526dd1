import type { Collection, StoreEvent } from "@kindling/api-server";

/** Calls the handler for each write to a collection, in order, as it happens. Returns the way to stop that. */
export function follow(collection: Collection, handle: (event: StoreEvent) => void): () => void {
  // A handler may write to the collection itself, so events are taken from the log, not from the call.
  let position = collection.log.end;
  return collection.subscribe(() => {
    for (let event = collection.log.at(position); event !== undefined; event = collection.log.at(position)) {
      position += 1;
      handle(event);
    }
  });
}
