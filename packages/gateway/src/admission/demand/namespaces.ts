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
  /** Whether labels of namespaces are needed. They are watched as soon as they are needed for the first time. */
  readonly isNeeded: () => boolean;
  /** Called after something has changed. */
  readonly onChange: () => void;
}

const FORBIDDEN = "the gateway may not list namespaces, so queues that select namespaces by labels match none";
const HINT =
  "let the gateway's account list and watch namespaces (the Helm chart does so where a queue has matchLabels or matchExpressions), or name the namespaces in the queues";

/** The labels of namespaces: queues can select namespaces by labels. Without such queues the cluster is not asked. */
export class Namespaces {
  readonly #options: NamespacesOptions;
  #namespaces: Cache<KubeObject> | undefined;

  constructor(options: NamespacesOptions) {
    this.#options = options;
    this.look();
  }

  /** Called when the queues have changed and may need the labels. */
  look(): void {
    if (this.#namespaces === undefined && this.#options.isNeeded()) this.#namespaces = this.#follow();
  }

  /** A namespace, with its labels as far as they are known. */
  facts(name: string): NamespaceFacts {
    return { name, labels: this.#labelsOf(name) };
  }

  /** Why queues that select namespaces by labels match none; undefined if they work, or if there are no such queues. */
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
