import { kubeError, type KubeErrorContext } from "../errors/kube-error.ts";

/** Throws if a request's own signal has aborted, or if the transport is closed. */
export function throwIfStopped(signal: AbortSignal | undefined, closing: AbortSignal, context: KubeErrorContext): void {
  if (signal?.aborted === true || closing.aborted) throwStopped(signal, closing, context);
}

export function throwStopped(signal: AbortSignal | undefined, closing: AbortSignal, context: KubeErrorContext): never {
  const words = closing.aborted ? "the client is closed" : "aborted";
  throw kubeError({ kind: "aborted" }, `${context.method} ${context.path}: ${words}`, {
    ...context,
    cause: signal?.reason,
  });
}
