import { formatTime } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import { type Container, type Pod, type PodStatus, containersOf } from "../objects/pod.ts";
import type { Variable } from "../objects/variable.ts";
import type { LogLine, LogQuery } from "../runtime/logs.ts";
import { PodStartError, type PodSources, type Runtime, type Sandbox } from "../runtime/runtime.ts";
import { ContainerRecord } from "./container-record.ts";
import type { ContainerHost } from "./container-host.ts";
import { runContainer } from "./container-run.ts";
import { pullImage } from "./pull-image.ts";
import { missingVolumeSource } from "./volume-sources.ts";
import { type PodState, podStatus } from "./pod-status.ts";
import { Stopped, Stopper } from "./stopper.ts";

const RETRY = 1000;

/** What a pod's worker needs from the kubelet. */
export interface WorkerHost {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly hostIp: string;
  readonly nodeAllocatable: () => Readonly<Record<string, string>>;
  readonly sources: (pod: Pod) => PodSources;
  readonly serviceVariables: (pod: Pod) => Variable[];
  /** Writes the pod's status; `change` receives the current pod. */
  readonly report: (pod: Pod, change: (current: Pod) => PodStatus) => void;
  readonly event: (
    pod: Pod,
    type: "Normal" | "Warning",
    reason: string,
    message: string,
    container?: Container,
  ) => void;
  /** Removes the pod from the API: its containers have ended. */
  readonly remove: (pod: Pod) => void;
}

/** Manages the life of one pod on its node, from its assignment to its end. */
export class PodWorker {
  readonly #host: WorkerHost;
  readonly #stopper: Stopper;
  readonly #inits: ContainerRecord[];
  readonly #mains: ContainerRecord[];
  readonly #sources: PodSources;
  readonly #startTime: string;
  #pod: Pod;
  #sandbox: Sandbox | undefined;
  #failure: PodState["failure"];
  #reportScheduled = false;
  #silent = false;
  #ending = false;
  #finished = false;
  #cancelDeadline: (() => void) | undefined;

  constructor(host: WorkerHost, pod: Pod) {
    this.#host = host;
    this.#pod = pod;
    this.#stopper = new Stopper(host.clock);
    this.#sources = host.sources(pod);
    this.#startTime = formatTime(host.clock.now());
    const inits = pod.spec.initContainers ?? [];
    const waiting = inits.length > 0 ? "PodInitializing" : "ContainerCreating";
    this.#inits = inits.map(
      (container) => new ContainerRecord(container, container.restartPolicy === "Always" ? "sidecar" : "init", waiting),
    );
    this.#mains = containersOf(pod).map((container) => new ContainerRecord(container, "main", waiting));
  }

  start(): void {
    void this.#live();
  }

  /** Handles a new version of the pod. */
  update(pod: Pod): void {
    this.#pod = pod;
    if (pod.metadata.deletionTimestamp !== undefined && !this.#ending) {
      void this.#end((pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000, true);
    }
  }

  /** Ends the pod at once, because it was removed from the API. */
  vanish(): void {
    this.#silent = true;
    void this.#end(0, false).then(async () => await this.#sandbox?.remove());
  }

  /** Fails the pod as a whole, as an eviction by the node does. */
  fail(reason: string, message: string): void {
    if (this.#finished || this.#failure !== undefined) return;
    this.#failure = { reason, message };
    void this.#end(0, false);
  }

  /** Stops reports to the API: the node is lost. */
  set silent(silent: boolean) {
    this.#silent = silent;
    if (!silent) this.#report();
  }

  readLog(container: string, query: LogQuery): AsyncIterable<LogLine> | undefined {
    const record = [...this.#inits, ...this.#mains].find((one) => one.container.name === container);
    const run = record?.runToRead(query.previous);
    return run === undefined ? undefined : this.#sandbox?.readLog(container, run, query);
  }

  async #live(): Promise<void> {
    try {
      this.#report();
      this.#watchDeadline();
      await this.#prepare();
      if (await this.#initialise()) await this.#runMains();
      await this.#complete();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
  }

  #watchDeadline(): void {
    const seconds = this.#pod.spec.activeDeadlineSeconds;
    if (seconds === undefined) return;
    this.#cancelDeadline = this.#host.clock.after(seconds * 1000, () => {
      this.#event("Normal", "DeadlineExceeded", "Pod was active on the node longer than the specified deadline");
      this.fail("DeadlineExceeded", "Pod was active on the node longer than the specified deadline");
    });
  }

  async #prepare(): Promise<void> {
    const sources = this.#sources;
    for (;;) {
      this.#stopper.check();
      const missing = missingVolumeSource(this.#pod, sources);
      if (missing !== undefined) {
        this.#event("Warning", "FailedMount", missing);
        await this.#stopper.sleep(RETRY);
        continue;
      }
      try {
        const fail = (reason: string, message: string): void => this.fail(reason, message);
        const request = { pod: this.#pod, sources, signal: this.#stopper.signal, fail };
        this.#sandbox = await this.#host.runtime.startSandbox(request);
        this.#stopper.check();
        // Reported at once: the pod's address may be in its containers' environment.
        this.#reportNow();
        return;
      } catch (error) {
        if (!(error instanceof PodStartError)) throw error;
        this.#event("Warning", error.reason, error.message);
        await this.#stopper.sleep(RETRY);
      }
    }
  }

  /** Runs the init containers in order; false if one failed for good. */
  async #initialise(): Promise<boolean> {
    for (const record of this.#inits) {
      if (record.kind === "sidecar") {
        const started = new Promise<void>((resolve) => void this.#run(record, resolve));
        await Promise.race([started, this.#untilStopped()]);
      } else if (!(await this.#run(record))) {
        return false;
      }
    }
    for (const record of this.#mains) if (this.#inits.length > 0) record.wait("PodInitializing");
    return true;
  }

  async #runMains(): Promise<void> {
    await Promise.all(this.#mains.map(async (record) => await this.#run(record)));
  }

  async #run(record: ContainerRecord, onStarted?: () => void): Promise<boolean> {
    const sandbox = this.#sandbox;
    if (sandbox === undefined) return false;
    const host: ContainerHost = {
      clock: this.#host.clock,
      pod: () => this.#pod,
      sandbox,
      stopper: this.#stopper,
      nodeAllocatable: this.#host.nodeAllocatable,
      sources: this.#sources,
      serviceVariables: () => this.#host.serviceVariables(this.#pod),
      report: () => this.#report(),
      event: (type, reason, message) => this.#event(type, reason, message, record.container),
      pull: async () =>
        await pullImage(sandbox, record, this.#stopper, {
          report: () => this.#report(),
          event: (type, reason, message) => this.#event(type, reason, message, record.container),
        }),
      onStarted: () => onStarted?.(),
    };
    try {
      return await runContainer(host, record);
    } catch (error) {
      if (error instanceof Stopped) return false;
      throw error;
    }
  }

  // The last container has ended by itself, so the sidecars are ended.
  async #complete(): Promise<void> {
    if (this.#ending) return;
    this.#cancelDeadline?.();
    const sidecars = this.#inits.filter(({ kind }) => kind === "sidecar");
    this.#stopper.stop();
    await stopAll(sidecars, (this.#pod.spec.terminationGracePeriodSeconds ?? 30) * 1000);
    this.#finished = true;
    this.#report();
    await this.#sandbox?.stop();
  }

  async #end(grace: number, remove: boolean): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    this.#cancelDeadline?.();
    this.#stopper.stop();
    for (const record of this.#mains) {
      if (record.running !== undefined)
        this.#event("Normal", "Killing", `Stopping container ${record.container.name}`, record.container);
    }
    await stopAll(this.#mains, grace);
    await stopAll(this.#inits, grace);
    this.#markKilled();
    this.#finished = true;
    await this.#sandbox?.stop();
    this.#reportNow();
    if (!remove || this.#silent) return;
    this.#host.remove(this.#pod);
    await this.#sandbox?.remove();
  }

  // Containers that never ran count as failed when the pod is ended from outside.
  #markKilled(): void {
    const finishedAt = this.#host.clock.now();
    for (const record of [...this.#inits, ...this.#mains]) {
      if (record.state.terminated !== undefined) continue;
      const message = "The container could not be located when the pod was terminated";
      record.end({ exitCode: 137, reason: "ContainerStatusUnknown", message, finishedAt });
    }
  }

  #event(type: "Normal" | "Warning", reason: string, message: string, container?: Container): void {
    if (!this.#silent) this.#host.event(this.#pod, type, reason, message, container);
  }

  // Changes within one turn of the event loop are reported together.
  #report(): void {
    if (this.#reportScheduled) return;
    this.#reportScheduled = true;
    setImmediate(() => {
      if (this.#reportScheduled) this.#reportNow();
    });
  }

  #reportNow(): void {
    this.#reportScheduled = false;
    if (this.#silent) return;
    this.#host.report(this.#pod, (current) =>
      podStatus(current, {
        inits: this.#inits,
        mains: this.#mains,
        ip: this.#sandbox?.ip,
        hostIp: this.#host.hostIp,
        startTime: this.#startTime,
        failure: this.#failure,
        now: this.#host.clock.now(),
      }),
    );
  }

  async #untilStopped(): Promise<never> {
    return await new Promise((_resolve, reject) => {
      const { signal } = this.#stopper;
      if (signal.aborted) reject(new Stopped());
      signal.addEventListener("abort", () => reject(new Stopped()), { once: true });
    });
  }
}

async function stopAll(records: readonly ContainerRecord[], grace: number): Promise<void> {
  await Promise.all(
    records.map(async (record) => {
      const { running } = record;
      if (running === undefined) return;
      running.stop(grace);
      const exit = await running.exited;
      // The code that runs the container may have recorded the end already.
      if (record.running === running) record.end(exit);
    }),
  );
}
