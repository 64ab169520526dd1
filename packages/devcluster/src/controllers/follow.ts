import type { Collection, StoreEvent } from "@kindling/api-server";

/** Calls the handler for each write to a collection, in order, as it happens. Returns a function that stops this. */
export function follow(collection: Collection, handle: (event: StoreEvent) => void): () => void {
  // A handler may itself write to the collection, so events are read from the log, not passed with the call.
  let position = collection.log.end;
  return collection.subscribe(() => {
    for (let event = collection.log.at(position); event !== undefined; event = collection.log.at(position)) {
      position += 1;
      handle(event);
    }
  });
}
