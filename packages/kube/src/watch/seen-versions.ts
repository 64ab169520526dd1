import { kubeError, type KubeError } from "../errors/kube-error.ts";
import { quoted } from "../errors/quoted.ts";
import { compareResourceVersions, isComparable } from "./resource-version.ts";

/** What a view has seen, and the callers that wait for later versions. */
export interface SeenVersions {
  /** The view has this version now. */
  note(version: string): void;
  /** Resolves once the view has this version or a later one. */
  when(version: string, signal: AbortSignal | undefined): Promise<void>;
  /** Nothing more will be seen: waiting callers get this error. */
  end(error: unknown): void;
}

interface Waiting {
  readonly version: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function seenVersions(): SeenVersions {
  const waiting = new Set<Waiting>();
  let newest: string | undefined;
  let ended: { readonly error: unknown } | undefined;

  const isSeen = (version: string): boolean =>
    newest !== undefined && (newest === version || (compareResourceVersions(newest, version) ?? -1) >= 0);

  return {
    note(version) {
      newest = version;
      for (const one of waiting) if (isSeen(one.version)) one.resolve();
    },
    when(version, signal) {
      return new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(entry);
          signal?.removeEventListener("abort", abort);
        };
        const abort = (): void => entry.reject(aborted(signal));
        const entry: Waiting = {
          version,
          resolve: () => {
            leave();
            resolve();
          },
          reject: (error) => {
            leave();
            reject(error);
          },
        };
        if (!isComparable(version)) reject(incomparable(version));
        else if (isSeen(version)) resolve();
        else if (ended !== undefined) reject(ended.error);
        else if (signal?.aborted === true) reject(aborted(signal));
        else {
          waiting.add(entry);
          signal?.addEventListener("abort", abort, { once: true });
        }
      });
    },
    end(error) {
      ended = { error };
      for (const one of waiting) one.reject(error);
    },
  };
}

function aborted(signal: AbortSignal | undefined): KubeError {
  return kubeError({ kind: "aborted" }, "a resourceVersion is not waited for any longer", { cause: signal?.reason });
}

function incomparable(version: string): KubeError {
  const shown = JSON.stringify(quoted(version, 64));
  return kubeError({ kind: "protocol" }, `${shown} is no resourceVersion that could be compared with others`);
}
