import { systemClock, within } from "@kindling/outside";
import type { ApiClient } from "./api-client.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { IncomingMessage } from "node:http";

export interface WatchEvent {
  readonly type: string;
  readonly object: JsonObject;
}

const PATIENCE = 15_000;

/** The events of a watch, one after the other. */
export class EventStream {
  readonly #source: AsyncIterator<Json>;
  readonly #close: () => void;

  /** `source` yields whole, parsed JSON texts. */
  constructor(source: AsyncIterator<Json>, close: () => void) {
    this.#source = source;
    this.#close = close;
  }

  /** The next event; undefined when the stream has ended normally. */
  async next(): Promise<WatchEvent | undefined> {
    const result = await withPatience(this.#source.next(), "an event of the watch");
    if (result.done === true) return undefined;
    const { value } = result;
    if (!isObject(value) || typeof value["type"] !== "string" || !isObject(value["object"]))
      throw new Error(`not a watch event: ${JSON.stringify(value)}`);
    return { type: value["type"], object: value["object"] };
  }

  /** The next event that is no bookmark. */
  async nextChange(): Promise<WatchEvent | undefined> {
    for (;;) {
      const event = await this.next();
      if (event?.type !== "BOOKMARK") return event;
    }
  }

  /** All events up to the end of the stream. */
  async rest(): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event);
    return events;
  }

  close(): void {
    this.#close();
  }
}

/**
 * Opens a watch.
 *
 * @throws Error if the server answers with something other than a stream.
 */
export async function openWatch(client: ApiClient, path: string): Promise<EventStream> {
  const response = await client.open("GET", path);
  if (response.statusCode !== 200) throw new Error(`GET ${path} answered ${response.statusCode}`);
  return new EventStream(lines(response), () => response.destroy());
}

async function* lines(response: IncomingMessage): AsyncGenerator<Json, void> {
  let rest = "";
  response.setEncoding("utf8");
  for await (const chunk of response) {
    rest += chunk as string;
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      yield JSON.parse(rest.slice(0, end)) as Json;
      rest = rest.slice(end + 1);
    }
  }
}

/** @throws Error if the promise is not settled in time. */
export async function withPatience<T>(promise: Promise<T>, what: string): Promise<T> {
  return await within(systemClock, PATIENCE, promise, () => {
    throw new Error(`waited ${PATIENCE} ms for ${what}`);
  });
}
