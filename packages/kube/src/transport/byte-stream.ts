import type { HttpResponse } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import { connectionError } from "./connection-error.ts";
import { kubeError, type KubeError, type KubeErrorContext } from "../errors/kube-error.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";

/** An answer that comes in pieces, for as long as the server sends. */
export interface ByteStream {
  /**
   * The data since the last read. No more than a buffer is read ahead, so a slow consumer slows the server down. Ends with
   * the answer; throws if it breaks off, if the signal aborts, or if nothing comes for too long.
   *
   * @param patience how much of the idle timeout is left, for a reader for which not every byte counts as a sign of life.
   */
  chunks(idleTimeoutMs?: number, patience?: () => number): AsyncGenerator<Buffer, void>;
  /** Drops the connection; `chunks()` then ends. */
  close(): void;
}

export interface ByteStreamSettings {
  readonly access: ClusterAccess;
  readonly clock: Clock;
  readonly context: KubeErrorContext;
}

/** The stream breaks when the signal of the request aborts or the client is closed. */
export function byteStream({ body }: HttpResponse, settings: ByteStreamSettings): ByteStream {
  const { access, clock, context } = settings;
  const label = `${context.method} ${context.path}`;
  let end: { readonly error: KubeError | undefined } | undefined;
  let wake: (() => void) | undefined;

  const finish = (error: KubeError | undefined): void => {
    if (end !== undefined) return;
    end = { error };
    wake?.();
  };
  const close = (): void => {
    finish(undefined);
    body.destroy();
  };

  // Without these listeners, a stream that breaks before anyone reads it would end the process.
  body.on("readable", () => wake?.());
  body.on("end", () => finish(undefined));
  body.on("error", (error) => finish(connectionError(error, access, context)));
  body.on("close", () => finish(connectionError(new Error("the connection broke"), access, context)));

  async function* chunks(
    idleTimeoutMs = Number.POSITIVE_INFINITY,
    patience = (): number => idleTimeoutMs,
  ): AsyncGenerator<Buffer, void> {
    try {
      for (;;) {
        const chunk = body.read() as Buffer | null;
        if (chunk !== null) {
          yield chunk;
          continue;
        }
        if (end?.error !== undefined) throw end.error;
        if (end !== undefined) return;
        await somethingNew(idleTimeoutMs, patience());
      }
    } finally {
      close();
    }
  }

  function somethingNew(idleTimeoutMs: number, waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = Number.isFinite(waitMs) ? clock.after(Math.max(0, waitMs), stalled) : undefined;
      function stalled(): void {
        finish(
          kubeError(
            { kind: "timeout", phase: "idle", milliseconds: idleTimeoutMs },
            `${label}: nothing from ${access.server} for ${idleTimeoutMs} ms`,
            context,
          ),
        );
        body.destroy();
      }
      wake = () => {
        cancel?.();
        wake = undefined;
        resolve();
      };
    });
  }

  return { chunks, close };
}
