import {
  isKubeError,
  isKubeletNotice,
  isNotFound,
  type KubeClient,
  logLinesAfter,
  logOptionsAfter,
} from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { LogSpool } from "../spool/log-spool.ts";
import type { RedactLine } from "./redact-lines.ts";

/** The container whose log is read. */
export interface LoggedContainer {
  readonly namespace: string;
  readonly pod: string;
  /** The pod's uid: another pod may get its name. */
  readonly uid: string;
  readonly container: string;
}

export interface LogReaderOptions {
  readonly client: Pick<KubeClient, "logs">;
  readonly clock: Clock;
  readonly container: LoggedContainer;
  readonly spool: LogSpool;
  readonly redact: RedactLine;
}

/**
 * What came of reading: everything that there was; nothing, because the container has no log (any more); a part, because the
 * connection broke, or because nothing came for too long.
 */
export type ReadResult = "read" | "no-log" | "broken" | "silent";

/** Reads the log of a container into its spool, each time from where it was. */
export class LogReader {
  readonly #options: LogReaderOptions;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  /** Whether some of the log has been read. */
  get hasBegun(): boolean {
    return this.#options.spool.position !== undefined;
  }

  /** One request. Only one at a time is under way: the next one begins after it. */
  read(options: ReadOptions): Promise<ReadResult> {
    const reading = this.#reading.then(() => (options.signal.aborted ? "broken" : this.#read(options)));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read({ follow, signal, onOpen, silenceMs = Infinity }: ReadOptions): Promise<ReadResult> {
    const { client, clock, container, spool, redact } = this.#options;
    const { namespace, pod, container: name } = container;
    const { position } = spool;
    const silence = silenceMs === Infinity ? undefined : new AbortController();
    let endSilence = afterSilence(clock, silenceMs, silence);
    try {
      const wanted = { namespace, container: name, follow, timestamps: true };
      const either = silence === undefined ? signal : AbortSignal.any([signal, silence.signal]);
      const stream = await client.logs(pod, { ...logOptionsAfter(wanted, position), signal: either });
      onOpen?.();
      for await (const line of logLinesAfter(stream, position)) {
        if (isKubeletNotice(line)) return "no-log";
        endSilence();
        const full = spool.add(redact(line.text), line.position);
        if (full !== undefined) await full;
        endSilence = afterSilence(clock, silenceMs, silence);
      }
      return "read";
    } catch (error) {
      if (!isKubeError(error)) throw error;
      // 400: the container has not started, or its kubelet has deleted it.
      if (isNotFound(error) || (error.kind === "status" && error.status === 400)) return "no-log";
      return silence?.signal.aborted === true ? "silent" : "broken";
    } finally {
      endSilence();
    }
  }
}

/** Aborts after a while; the result prevents that. */
function afterSilence(clock: Clock, milliseconds: number, silence: AbortController | undefined): () => void {
  return silence === undefined ? () => undefined : clock.after(milliseconds, () => silence.abort());
}

export interface ReadOptions {
  /** Whether to go on until the container ends. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** Called when the log has begun to arrive, so that the container may be deleted. */
  readonly onOpen?: (() => void) | undefined;
  /** If no line comes for so long, the reading ends; default: never. */
  readonly silenceMs?: number | undefined;
}
