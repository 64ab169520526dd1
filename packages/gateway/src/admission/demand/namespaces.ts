import type { KubeObject } from "@kindling/kube-objects";
import type { NamespaceFacts } from "@kindling/core-spec";
import { type Cache, startCache } from "@kindling/controller";
import type { KubeClient, KubeError } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { objectIdentity, UPSTREAM, withoutManagedFields } from "../../cluster/upstream-types.ts";

export interface NamespacesOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
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
  #namespaces: Cache<KubeObject> | undefined;

  constructor(options: NamespacesOptions) {
    this.#options = options;
    this.look();
  }

  /** Called when other queues may need them. */
  look(): void {
    if (this.#namespaces === undefined && this.#options.isNeeded()) this.#namespaces = this.#follow();
  }

  /** A namespace, with its labels as far as they are known. */
  facts(name: string): NamespaceFacts {
    return { name, labels: this.#labelsOf(name) };
  }

  /** Why queues that select by labels are for nobody; undefined if they are not, or there are none. */
  get fault(): string | undefined {
    return this.#namespaces?.isRefused === true && this.#options.isNeeded() ? `${FORBIDDEN}: ${HINT}` : undefined;
  }

  async stop(): Promise<void> {
    await this.#namespaces?.stop();
  }

  #labelsOf(name: string): NamespaceFacts["labels"] {
    const found = this.#namespaces?.get(name);
    return found === undefined ? undefined : (found.metadata.labels ?? {});
  }

  #follow(): Cache<KubeObject> {
    const { client, clock, random, onChange } = this.#options;
    const cache = startCache<KubeObject, KubeObject>(client, UPSTREAM.namespaces, {
      ...{ clock, random, isOptional: true },
      keep: withoutManagedFields,
      identityOf: objectIdentity,
      onError: (error, _namespace, isRefusedAgain) => this.#failed(error, isRefusedAgain),
    });
    cache.subscribe({ changed: onChange, listed: onChange, refused: onChange });
    return cache;
  }

  #failed(error: KubeError, isRefusedAgain: boolean): void {
    if (isRefusedAgain || error.kind !== "status" || error.status !== 403) return;
    this.#options.log.error(FORBIDDEN, { error: error.message, hint: HINT });
  }
}
