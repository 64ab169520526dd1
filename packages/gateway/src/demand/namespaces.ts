import type { KubeObject } from "@kindling/api-server";
import type { NamespaceFacts } from "@kindling/core-spec";
import { createObjectStore, isKubeError, type KubeClient, type KubeError, type Reflector } from "@kindling/kube";
import { startReflector } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { UPSTREAM, withoutManagedFields } from "../upstream/upstream-types.ts";

export interface NamespacesOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether anybody looks at labels of namespaces: they are followed from the first time on that somebody does. */
  readonly isNeeded: () => boolean;
  /** Called after something has changed. */
  readonly onChange: () => void;
}

const FORBIDDEN = "the gateway may not see namespaces, so that queues which select them by labels are for nobody";
const HINT =
  "let the gateway's account list and watch namespaces (the Helm chart does so where a queue has matchLabels or matchExpressions), or name the namespaces in the queues";

/** The labels of namespaces, which queues may go by. Without such queues nothing is asked of the cluster. */
export class Namespaces {
  readonly #options: NamespacesOptions;
  readonly #store = createObjectStore<KubeObject>();
  #reflector: Reflector | undefined;
  #isForbidden = false;

  constructor(options: NamespacesOptions) {
    this.#options = options;
    this.look();
  }

  /** Called when other queues may need them. */
  look(): void {
    if (this.#reflector === undefined && this.#options.isNeeded()) this.#reflector = this.#follow();
  }

  /** A namespace, with its labels as far as they are known. */
  facts(name: string): NamespaceFacts {
    return { name, labels: this.#labelsOf(name) };
  }

  /** Why queues that select by labels are for nobody; undefined if they are not, or there are none. */
  get fault(): string | undefined {
    return this.#isForbidden && this.#options.isNeeded() ? `${FORBIDDEN}: ${HINT}` : undefined;
  }

  async stop(): Promise<void> {
    await this.#reflector?.stop();
  }

  #labelsOf(name: string): NamespaceFacts["labels"] {
    const found = this.#store.get(name);
    return found === undefined ? undefined : (found.metadata.labels ?? {});
  }

  #follow(): Reflector {
    const { client, clock, onChange } = this.#options;
    return startReflector<KubeObject>(client, UPSTREAM.namespaces, {
      allNamespaces: true,
      keep: withoutManagedFields,
      clock,
      sink: {
        replace: (items, version) => {
          this.#store.replace(items, version);
          this.#isForbidden = false;
          onChange();
        },
        apply: (event) => {
          this.#store.apply(event);
          if (event.type !== "BOOKMARK") onChange();
        },
      },
      onError: (error) => this.#failed(error),
    });
  }

  #failed(error: KubeError): void {
    if (!isKubeError(error) || error.kind !== "status" || error.status !== 403 || this.#isForbidden) return;
    this.#isForbidden = true;
    this.#options.log.error(FORBIDDEN, { error: error.message, hint: HINT });
    this.#options.onChange();
  }
}
