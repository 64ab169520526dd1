import type { KubeClient } from "../client/kube-client.ts";
import { kubeError } from "../errors/kube-error.ts";

/** How long writes may be sent. */
export interface Fence {
  /** Aborts at the end: running requests are ended as well. */
  readonly signal: AbortSignal;
  /** Whether writes may be sent at this moment; may become false before the signal aborts. */
  readonly isOpen: () => boolean;
}

/**
 * A client whose writes are sent only while the fence is open: a process that was paused for a while, and does not know yet
 * that another one leads, writes nothing. Reads are not held back.
 */
export function fencedClient(client: KubeClient, { signal, isOpen }: Fence): KubeClient {
  const fenced = async <T>(write: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    if (isOpen()) return await write(signal);
    throw kubeError({ kind: "aborted" }, "nothing is written: another replica may lead by now");
  };
  return {
    ...client,
    create: (type, object, options) => fenced((own) => client.create(type, object, { ...options, signal: own })),
    apply: (type, object, options) => fenced((own) => client.apply(type, object, { ...options, signal: own })),
    replace: (type, object, options) => fenced((own) => client.replace(type, object, { ...options, signal: own })),
    patch: (type, name, kind, patch, options) =>
      fenced((own) => client.patch(type, name, kind, patch, { ...options, signal: own })),
    delete: (type, name, options) => fenced((own) => client.delete(type, name, { ...options, signal: own })),
    deleteCollection: (type, options) => fenced((own) => client.deleteCollection(type, { ...options, signal: own })),
  };
}
