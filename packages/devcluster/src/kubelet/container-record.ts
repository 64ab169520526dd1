import { defined, formatTime } from "@kindling/kube-objects";
import type { Container, ContainerState, ContainerStatus, Pod, TerminatedState } from "../objects/pod.ts";
import type { ContainerExit, RunningContainer } from "../runtime/runtime.ts";

export type ContainerKind = "init" | "sidecar" | "main";

/** What the kubelet knows about one container. */
export class ContainerRecord {
  readonly container: Container;
  readonly kind: ContainerKind;
  state: ContainerState;
  lastState: ContainerState = {};
  restartCount = 0;
  ready = false;
  started = false;
  image: string;
  imageId = "";
  containerId: string | undefined;
  running: RunningContainer | undefined;
  #latestRun: number | undefined;

  constructor(container: Container, kind: ContainerKind, waitingFor: string) {
    this.container = container;
    this.kind = kind;
    this.image = container.image ?? "";
    this.state = { waiting: { reason: waitingFor } };
  }

  wait(reason: string, message?: string): void {
    this.state = { waiting: { ...(message === undefined ? {} : { message }), reason } };
  }

  run(running: RunningContainer): void {
    this.running = running;
    this.#latestRun = this.restartCount;
    this.containerId = running.id;
    this.started = true;
    this.state = { running: { startedAt: formatTime(running.startedAt) } };
  }

  /** Records that the container has ended. */
  end(exit: ContainerExit): TerminatedState {
    // The code that stops a container and the code that runs it both see its end.
    if (this.running === undefined && this.state.terminated !== undefined) return this.state.terminated;
    const startedAt = this.running === undefined ? null : formatTime(this.running.startedAt);
    const terminated: TerminatedState = {
      exitCode: exit.exitCode,
      ...(exit.signal === undefined ? {} : { signal: exit.signal }),
      reason: exit.reason ?? (exit.exitCode === 0 ? "Completed" : "Error"),
      ...(exit.message === undefined ? {} : { message: exit.message }),
      startedAt,
      finishedAt: formatTime(exit.finishedAt),
      ...(this.containerId === undefined ? {} : { containerID: this.containerId }),
    };
    this.running = undefined;
    this.ready = false;
    this.started = false;
    this.state = { terminated };
    return terminated;
  }

  /**
   * The number of the run with the requested log, counted from 0; undefined if there is none. If a container waits for its
   * next run, the log is that of the last run, which is then also the previous one.
   */
  runToRead(previous: boolean): number | undefined {
    if (this.#latestRun === undefined) return undefined;
    const run = previous && this.state.waiting === undefined ? this.#latestRun - 1 : this.#latestRun;
    return run < 0 ? undefined : run;
  }

  /** Prepares the next run: the last end becomes history. */
  again(): void {
    if (this.state.terminated !== undefined) this.lastState = { terminated: this.state.terminated };
    this.restartCount += 1;
  }

  status(pod: Pod): ContainerStatus {
    const { container } = this;
    // A resize has changed the pod, and not the container that was started.
    const now = (pod.spec.containers ?? []).find(({ name }) => name === container.name) ?? container;
    const { requests } = now.resources;
    const ran = this.containerId !== undefined;
    return defined({
      allocatedResources: ran ? requests : undefined,
      containerID: this.containerId,
      image: this.image,
      imageID: this.imageId,
      lastState: this.lastState,
      name: container.name,
      // An init container that has ended successfully is ready; a sidecar must run.
      ready: this.kind === "init" ? this.state.terminated?.exitCode === 0 : this.ready,
      resources: ran ? now.resources : undefined,
      restartCount: this.restartCount,
      started: this.started,
      state: this.state,
      volumeMounts: mountStatuses(pod, container),
    });
  }
}

function mountStatuses(_pod: Pod, { volumeMounts }: Container): NonNullable<ContainerStatus["volumeMounts"]> {
  return (volumeMounts ?? []).map(({ mountPath, name, readOnly }) => ({
    mountPath,
    name,
    ...(readOnly === true ? { readOnly, recursiveReadOnly: "Disabled" } : {}),
  }));
}
