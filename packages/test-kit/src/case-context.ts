import type { Answer, ApiClient } from "./api-client.ts";
import { type EventStream, openWatch } from "./event-stream.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import { expectSuccess } from "./refusal.ts";
import { sleep, systemClock } from "@kindling/outside";

// A real quota controller and garbage collector stop for 30 s, in the worst case twice in a row, when a custom resource is
// deleted just after they found it: they wait for its cache, which cannot be filled (kube-controller-manager,
// resource_quota_controller.go and garbagecollector.go, Sync). Cases that run at the same time cause that.
const PATIENCE = 200_000;
const INTERVAL = 50;

/** What a case needs. */
export class CaseContext {
  /** The administrator's client. */
  readonly client: ApiClient;
  /** The namespace of the case; `default` if it needs none. */
  readonly namespace: string;
  readonly #undo: (() => unknown)[] = [];

  constructor(client: ApiClient, namespace: string) {
    this.client = client;
    this.namespace = namespace;
  }

  /** The path of a resource of the core group in the case's namespace, or of one of its objects. */
  path(resource: string, name?: string): string {
    return join(`/api/v1/namespaces/${this.namespace}/${resource}`, name);
  }

  /** The same for another group, such as `apps/v1`. */
  groupPath(group: string, resource: string, name?: string): string {
    return join(`/apis/${group}/namespaces/${this.namespace}/${resource}`, name);
  }

  /** Creates an object; it must be accepted. */
  async create(path: string, object: unknown): Promise<JsonObject> {
    const answer = await this.client.post(path, object);
    expectSuccess(answer, 201);
    return answer.body;
  }

  /** Opens a watch, which ends with the case. */
  async watch(path: string): Promise<EventStream> {
    const stream = await openWatch(this.client, path);
    this.onEnd(() => stream.close());
    return stream;
  }

  /** A client with only a token, or without credentials. */
  as(token: string | undefined): ApiClient {
    const client = this.client.as(token);
    this.onEnd(() => client.close());
    return client;
  }

  /** Registers a function for the end of the case: objects outside of its namespace must be deleted. */
  onEnd(undo: () => unknown): void {
    this.#undo.push(undo);
  }

  /** Asks again and again until the answer is the wanted one; on failure, the error describes the last answer. */
  async until(ask: () => Promise<Answer>, wanted: (answer: Answer) => boolean, what: string): Promise<Answer> {
    const deadline = systemClock.monotonic() + PATIENCE;
    for (;;) {
      const answer = await ask();
      if (wanted(answer)) return answer;
      if (systemClock.monotonic() > deadline)
        throw new Error(`waited ${PATIENCE} ms for ${what}: ${answer.text.slice(0, 2000)}`);
      await sleep(systemClock, INTERVAL);
    }
  }

  /** Waits until an object is gone. */
  async untilGone(path: string): Promise<void> {
    await this.until(
      async () => await this.client.get(path),
      ({ status }) => status === 404,
      `the end of ${path}`,
    );
  }

  async end(): Promise<void> {
    for (const undo of this.#undo.splice(0).toReversed()) await undo();
  }
}

function join(path: string, name: string | undefined): string {
  return name === undefined ? path : `${path}/${name}`;
}

/** The member of a JSON value at a path such as `status.conditions.0.type`. */
export function at(value: Json | undefined, path: string): Json | undefined {
  let current = value;
  for (const key of path.split(".")) {
    if (Array.isArray(current)) current = current[Number(key)];
    else if (isObject(current)) current = current[key];
    else return undefined;
  }
  return current;
}

/** The items of a list. */
export function itemsOf({ body }: Answer): JsonObject[] {
  const items = body["items"];
  return Array.isArray(items) ? items.filter(isObject) : [];
}

/** The names of a list's items. */
export function namesOf(answer: Answer): string[] {
  return itemsOf(answer).map((item) => String(at(item, "metadata.name")));
}
