import type { EventRecorder } from "@kindling/controller";
import { harmlessText, messageOf } from "@kindling/core-spec";
import { isNotFound, type KubeClient } from "@kindling/kube";
import type { Log } from "@kindling/service";
import { textAt } from "../../json/fields.ts";
import { UPSTREAM } from "../../cluster/upstream-types.ts";

export interface KeptQueuesOptions {
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly log: Log;
  /** The ConfigMap. */
  readonly name: string;
  /** Undefined: the client's own. */
  readonly namespace: string | undefined;
}

const ENTRY = "queues.yaml";

/**
 * The last valid file of queues, in a ConfigMap. A gateway uses it if its file is wrong at the start. If the ConfigMap cannot
 * be read or written, the gateway goes on without it.
 */
export class KeptQueues {
  readonly #options: KeptQueuesOptions;
  readonly #namespace: string;

  constructor(options: KeptQueuesOptions) {
    this.#options = options;
    this.#namespace = options.namespace ?? options.client.namespace;
  }

  /** The last kept text; undefined if there is none. */
  async read(): Promise<string | undefined> {
    const { client, log, name } = this.#options;
    try {
      const found = await client.get(UPSTREAM.configmaps, name, { namespace: this.#namespace });
      return textAt(found, "data", ENTRY);
    } catch (error) {
      if (!isNotFound(error)) log.warn("the last good queues cannot be read", { name, error: messageOf(error) });
      return undefined;
    }
  }

  /** Keeps a valid text. */
  async keep(text: string): Promise<void> {
    const { client, log, name } = this.#options;
    const namespace = this.#namespace;
    try {
      await client.patch(UPSTREAM.configmaps, name, "merge", { data: { [ENTRY]: text } }, { namespace });
    } catch (error) {
      if (isNotFound(error)) return await this.#make(text);
      log.warn("the queues cannot be kept for a start with a wrong file", { name, error: messageOf(error) });
    }
  }

  /** Publishes an Event on the ConfigMap which says that the file is refused; one for each reason is enough. */
  tellRefused(message: string): void {
    const { events, name } = this.#options;
    const metadata = { name, namespace: this.#namespace };
    const text = harmlessText(message, 1024);
    events.record({ apiVersion: "v1", kind: "ConfigMap", metadata }, [
      { type: "Warning", reason: "QueuesRefused", message: text },
    ]);
  }

  async #make(text: string): Promise<void> {
    const { client, log, name } = this.#options;
    const object = {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name, namespace: this.#namespace },
      data: { [ENTRY]: text },
    };
    try {
      await client.create(UPSTREAM.configmaps, object, { namespace: this.#namespace });
    } catch (error) {
      log.warn("the queues cannot be kept for a start with a wrong file", { name, error: messageOf(error) });
    }
  }
}
