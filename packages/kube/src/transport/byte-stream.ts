import type { IncomingMessage } from "node:http";
import type { Clock } from "../clock.ts";
import { connectionError } from "../errors/connection-error.ts";
import { kubeError, type KubeError, type KubeErrorContext } from "../errors/kube-error.ts";
import type { UnderWay } from "./under-way.ts";

/** An answer that comes bit by bit, for as long as the server has something to say. */
export interface ByteStream {
  /**
   * What has come since one looked last. Nothing is read ahead of the consumer beyond a buffer, so a slow one slows the
   * server down. Ends with the answer; throws where it breaks off, the signal aborts, or nothing comes for too long.
   *
   * @param patience how much of the idle timeout is left, for a reader who does not take each byte for a sign of life.
   */
  chunks(idleTimeoutMs?: number, patience?: () => number): AsyncGenerator<Buffer, void>;
  /** Drops the connection; `chunks()` then ends. */
  close(): void;
}

export interface ByteStreamSettings {
  readonly server: string;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly context: KubeErrorContext;
  readonly underWay: UnderWay;
}

export function byteStream(response: IncomingMessage, settings: ByteStreamSettings): ByteStream {
  const { clock, context, signal, underWay } = settings;
  const label = `${context.method} ${context.path}`;
  let end: { readonly error: KubeError | undefined } | undefined;
  let wake: (() => void) | undefined;

  const finish = (error: KubeError | undefined): void => {
    if (end !== undefined) return;
    end = { error };
    underWay.finish(task);
    signal?.removeEventListener("abort", abort);
    wake?.();
  };
  const abort = (): void => {
    finish(kubeError({ kind: "aborted" }, `${label}: aborted`, { ...context, cause: signal?.reason }));
    response.destroy();
  };
  const close = (): void => {
    finish(undefined);
    response.destroy();
  };

  const task = underWay.begin(abort);
  // A stream without these would bring the process down when it breaks before anyone reads it.
  response.on("readable", () => wake?.());
  response.on("end", () => finish(undefined));
  response.on("error", (error) => finish(connectionError(error, settings.server, context)));
  response.on("close", () => finish(connectionError(new Error("the connection broke"), settings.server, context)));
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted === true) abort();

  async function* chunks(
    idleTimeoutMs = Number.POSITIVE_INFINITY,
    patience = (): number => idleTimeoutMs,
  ): AsyncGenerator<Buffer, void> {
    try {
      for (;;) {
        const chunk = response.read() as Buffer | null;
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
            `${label}: nothing from ${settings.server} for ${idleTimeoutMs} ms`,
            context,
          ),
        );
        response.destroy();
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
