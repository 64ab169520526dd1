import type { ResourceType, StoreEvent } from "@kindling/api-server";

/** A request as fault switches see it. */
export interface FaultRequest {
  readonly method: string;
  readonly path: string;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; else the method in lower case. */
  readonly verb: string;
  /** The resource's plural name; empty for other paths. */
  readonly resource: string;
}

/** What a fault does to a request. */
export type Fault =
  | { readonly kind: "latency"; readonly milliseconds: number }
  | { readonly kind: "status"; readonly code: number; readonly retryAfterSeconds?: number; readonly message?: string }
  | { readonly kind: "reset" };

/** Limits a fault to some requests, and to a number of them. */
export interface FaultScope {
  readonly when?: (request: FaultRequest) => boolean;
  /** How many requests to hit. Default: all. */
  readonly times?: number;
}

interface ArmedFault {
  readonly fault: Fault;
  readonly when: (request: FaultRequest) => boolean;
  left: number;
}

interface ArmedDrop {
  readonly when: (event: { type: string; resource: string; name: string }) => boolean;
  left: number;
}

/** What the server can do to itself. */
export interface ServerControl {
  compact(): void;
  resetConnections(): void;
  restart(): Promise<void>;
}

/** The fault switches of the API server. Faults that last return a function that switches them off. */
export class ApiFaults {
  readonly #control: ServerControl;
  readonly #faults = new Set<ArmedFault>();
  readonly #drops = new Set<ArmedDrop>();
  #staleBy = 0;

  constructor(control: ServerControl) {
    this.#control = control;
  }

  /** Deletes the history now: watches and paged lists that continue from an older version get 410. */
  compact(): void {
    this.#control.compact();
  }

  /** Cuts all connections with a reset. */
  resetConnections(): void {
    this.#control.resetConnections();
  }

  /**
   * Simulates a crash and restart of the server on the same port: connections are cut and the history is lost, but objects
   * are kept.
   */
  async restart(): Promise<void> {
    await this.#control.restart();
  }

  /** Delays answers. */
  injectLatency(milliseconds: number, scope: FaultScope = {}): () => void {
    return this.#arm({ kind: "latency", milliseconds }, scope);
  }

  /** Answers with an error instead of doing anything: for example bursts of 429 and 5xx. */
  injectStatus(code: number, scope: FaultScope & { retryAfterSeconds?: number; message?: string } = {}): () => void {
    const { retryAfterSeconds, message } = scope;
    return this.#arm(
      {
        kind: "status",
        code,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        ...(message === undefined ? {} : { message }),
      },
      scope,
    );
  }

  /** Cuts the connection instead of answering. */
  injectReset(scope: FaultScope = {}): () => void {
    return this.#arm({ kind: "reset" }, scope);
  }

  /** Lets watches miss events. */
  dropWatchEvents(
    when: (event: { type: string; resource: string; name: string }) => boolean = () => true,
    times: number = Infinity,
  ): () => void {
    const drop: ArmedDrop = { when, left: times };
    this.#drops.add(drop);
    return () => this.#drops.delete(drop);
  }

  /** Answers lists that allow it (`resourceVersion=0`) with the state before this many writes. */
  staleLists(writes: number): () => void {
    this.#staleBy = writes;
    return () => {
      this.#staleBy = 0;
    };
  }

  /** Switches all faults off. */
  clear(): void {
    this.#faults.clear();
    this.#drops.clear();
    this.#staleBy = 0;
  }

  /** How many writes behind the present the lists are that do not ask for the newest state. */
  get listLag(): number {
    return this.#staleBy;
  }

  /** The faults that hit a request; counts them as used. */
  take(request: FaultRequest): Fault[] {
    const hits = [...this.#faults].filter((armed) => armed.left > 0 && armed.when(request));
    for (const armed of hits) {
      armed.left -= 1;
      if (armed.left <= 0) this.#faults.delete(armed);
    }
    return hits.map(({ fault }) => fault);
  }

  /** Whether a watch must miss an event. */
  drops(type: ResourceType, event: StoreEvent): boolean {
    if (this.#drops.size === 0) return false;
    const { name } = event.object.object.metadata;
    for (const drop of this.#drops) {
      if (drop.left <= 0 || !drop.when({ type: event.type, resource: type.plural, name })) continue;
      drop.left -= 1;
      return true;
    }
    return false;
  }

  #arm(fault: Fault, scope: FaultScope): () => void {
    const armed: ArmedFault = { fault, when: scope.when ?? (() => true), left: scope.times ?? Infinity };
    this.#faults.add(armed);
    return () => this.#faults.delete(armed);
  }
}
