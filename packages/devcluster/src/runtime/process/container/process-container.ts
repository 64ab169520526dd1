import type { Readable } from "node:stream";
import type { Clock } from "@kindling/outside";
import type { Container } from "../../../objects/pod.ts";
import { sendSignal } from "../host/send-signal.ts";
import type { ContainerExit, RunningContainer } from "../../runtime.ts";
import { type ContainerLog, STREAMS } from "./container-log.ts";
import { type HandlerTarget, runHandler } from "./handlers.ts";
import type { Launched } from "./launch.ts";
import { terminationMessage } from "./termination-message.ts";

const KILL = 9;

export interface ProcessContainerOptions {
  readonly id: string;
  readonly clock: Clock;
  readonly container: Container;
  readonly launched: Launched;
  readonly log: ContainerLog;
  /** The file for the container's termination message. */
  readonly messageFile: string;
  readonly target: HandlerTarget;
  /** Watches the container's memory; returns a function that stops this. */
  readonly watchMemory: (onExceeded: () => void) => () => void;
}

/** A container that runs as a process. */
export class ProcessContainer implements RunningContainer {
  readonly id: string;
  readonly startedAt: number;
  readonly ready: Promise<void>;
  readonly exited: Promise<ContainerExit>;
  readonly target: HandlerTarget;
  readonly #options: ProcessContainerOptions;
  readonly #ending = new AbortController();
  #over = false;
  #stopping = false;
  #outOfMemory = false;

  constructor(options: ProcessContainerOptions) {
    const { id, clock, log, launched, target } = options;
    this.#options = options;
    this.id = id;
    this.target = target;
    this.startedAt = clock.now();
    for (const stream of STREAMS) {
      launched.output[stream].on("data", (chunk: Buffer) => log.write(stream, chunk, clock.now()));
    }
    this.exited = this.#watch();
    this.ready = this.#afterStart();
  }

  get over(): boolean {
    return this.#over;
  }

  stop(graceMilliseconds: number): void {
    if (this.#over) return;
    if (graceMilliseconds <= 0) {
      this.kill();
      return;
    }
    const cancel = this.#options.clock.after(graceMilliseconds, () => this.kill());
    void this.exited.then(cancel);
    if (this.#stopping) return;
    this.#stopping = true;
    void this.#ask();
  }

  /** Ends the container at once. */
  kill(): void {
    this.#signal("SIGKILL");
  }

  // The hook's time is part of the container's grace period.
  async #ask(): Promise<void> {
    const hook = this.#options.container.lifecycle?.preStop;
    if (hook !== undefined) await runHandler(hook, this.target, this.#options.clock, this.#ending.signal);
    this.#signal("SIGTERM");
  }

  async #afterStart(): Promise<void> {
    const hook = this.#options.container.lifecycle?.postStart;
    if (hook === undefined) return;
    const { good } = await runHandler(hook, this.target, this.#options.clock, this.#ending.signal);
    if (!good && !this.#over) this.stop(2000);
  }

  #signal(signal: "SIGTERM" | "SIGKILL"): void {
    if (!this.#over) sendSignal(this.#options.launched.pid, signal);
  }

  async #watch(): Promise<ContainerExit> {
    const { clock, container, launched, log, messageFile, watchMemory } = this.#options;
    const stopWatching = watchMemory(() => {
      this.#outOfMemory = true;
      this.kill();
    });
    const written = Promise.all(STREAMS.map(async (stream) => await closed(launched.output[stream])));
    const { exitCode, signal } = await launched.ended;
    this.#over = true;
    stopWatching();
    this.#ending.abort();
    await written;
    const finishedAt = clock.now();
    log.close(finishedAt);
    const message = terminationMessage(container, messageFile, log, exitCode !== 0);
    const outOfMemory = this.#outOfMemory && signal === KILL;
    return {
      exitCode,
      ...(outOfMemory ? { reason: "OOMKilled" } : {}),
      ...(message === undefined ? {} : { message }),
      finishedAt,
    };
  }
}

async function closed(stream: Readable): Promise<void> {
  await new Promise<void>((resolve) => void stream.on("close", () => resolve()));
}
