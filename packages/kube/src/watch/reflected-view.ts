import type { Clock } from "@kindling/outside";
import type { KubeError } from "../errors/kube-error.ts";
import { createCurrency } from "./currency.ts";
import { seenVersions } from "./seen-versions.ts";

/** How far a sink's view is, and whether it can be relied on; see `Reflector`. */
export interface ReflectedView {
  /** Resolves when the view is complete for the first time, rejects if it has ended before that. */
  readonly synced: Promise<void>;
  readonly isCurrent: boolean;
  readonly lastError: KubeError | undefined;
  readonly resourceVersion: string | undefined;
  whenSeen(resourceVersion: string, signal: AbortSignal | undefined): Promise<void>;
  /** The sink has everything up to this version. */
  caughtUp(resourceVersion: string): void;
  watchOpened(): void;
  watchClosed(): void;
  /** Something is wrong with the server, but the view continues without a gap. */
  faulted(error: KubeError): void;
  /** Changes from now on may be missing. */
  lost(error: KubeError): void;
  /** The server has forgotten the version: a watch cannot continue from there. */
  forgetVersion(): void;
  end(error: unknown): void;
}

export function reflectedView(clock: Clock): ReflectedView {
  const seen = seenVersions();
  const currency = createCurrency(clock);
  const first = deferred();
  let resourceVersion: string | undefined;
  let lastError: KubeError | undefined;
  let hasEnded = false;
  return {
    synced: first.promise,
    get isCurrent() {
      return !hasEnded && currency.isCurrent;
    },
    get lastError() {
      return lastError;
    },
    get resourceVersion() {
      return resourceVersion;
    },
    whenSeen: (version, own) => seen.when(version, own),
    caughtUp(version) {
      resourceVersion = version;
      seen.note(version);
      lastError = undefined;
      currency.caughtUp();
      first.resolve();
    },
    watchOpened: () => currency.opened(),
    watchClosed: () => currency.closed(),
    faulted(error) {
      lastError = error;
    },
    lost(error) {
      currency.lost();
      lastError = error;
    },
    forgetVersion() {
      resourceVersion = undefined;
    },
    end(error) {
      hasEnded = true;
      first.reject(error);
      seen.end(error);
    },
  };
}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function deferred(): Deferred {
  let settle: Omit<Deferred, "promise"> = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Code that does not wait for it gets the error from `ended`.
  promise.catch(() => undefined);
  return { promise, ...settle };
}
