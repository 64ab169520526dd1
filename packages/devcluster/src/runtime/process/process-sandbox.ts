import type { KubeObject } from "@kindling/kube-objects";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "@kindling/core-spec";
import { amountToNumber, parseAmount } from "@kindling/api-server";
import type { Container, Pod, Probe } from "../../objects/pod.ts";
import type { LogLine, LogQuery } from "../logs.ts";
import {
  type ContainerRequest,
  ContainerStartError,
  type PulledImage,
  type RunningContainer,
  type Sandbox,
} from "../runtime.ts";
import { ContainerLog } from "./container/container-log.ts";
import { runHandler } from "./container/handlers.ts";
import type { Machine } from "./container/machine.ts";
import type { MemoryWatch } from "./container/memory-watch.ts";
import { ProcessContainer } from "./container/process-container.ts";
import { type Started, runFiles, startProcess } from "./container/start-process.ts";
import type { Images } from "./images.ts";
import type { PodConnection } from "./network/pod-network.ts";
import type { ResolvedProcessOptions } from "./options.ts";
import { recordProcess } from "./state/recorded-processes.ts";
import { removeTree } from "./state/state-folder.ts";
import type { PodVolumes } from "./volumes/pod-volumes.ts";

/** The parts of the runtime that all pods share. */
export interface SandboxContext {
  readonly options: ResolvedProcessOptions;
  readonly machine: Machine;
  readonly images: Images;
  readonly memory: MemoryWatch;
}

/** The parts of one pod. */
export interface SandboxParts {
  readonly pod: Pod;
  readonly signal: AbortSignal;
  /** The folder for data that should be on disk, and the one for small data that each run creates again. */
  readonly folder: string;
  readonly memory: string;
  readonly volumes: PodVolumes;
  readonly connection: PodConnection;
  /** Called when the pod is gone. */
  readonly onRemoved: () => void;
}

/** A run of a container: the last one, or the one before. */
interface Run {
  readonly attempt: number;
  readonly folder: string;
  readonly writable: string;
  readonly log: ContainerLog;
  running: ProcessContainer | undefined;
}

const SECOND = 1000;

/** Runs the containers of a pod as processes. */
export class ProcessSandbox implements Sandbox {
  readonly ip: string;
  readonly #context: SandboxContext;
  readonly #parts: SandboxParts;
  readonly #runs = new Map<string, Run[]>();
  readonly #starting = new Set<Promise<RunningContainer>>();
  #removed: Promise<void> | undefined;

  constructor(context: SandboxContext, parts: SandboxParts) {
    this.#context = context;
    this.#parts = parts;
    this.ip = parts.connection.ip;
  }

  async pullImage(container: Container): Promise<PulledImage> {
    return await this.#context.images.pull(container, this.#parts.signal);
  }

  async start(request: ContainerRequest): Promise<RunningContainer> {
    const starting = this.#start(request);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  readLog(container: string, attempt: number, query: LogQuery): AsyncIterable<LogLine> | undefined {
    return this.#runs
      .get(container)
      ?.find((run) => run.attempt === attempt)
      ?.log.read(query);
  }

  async probe(name: string, probe: Probe): Promise<boolean> {
    const running = this.#runs.get(name)?.at(-1)?.running;
    if (running === undefined || running.over) return false;
    const signal = AbortSignal.timeout((probe.timeoutSeconds ?? 1) * SECOND);
    return (await runHandler(probe, running.target, this.#context.options.clock, signal)).good;
  }

  async stop(): Promise<void> {
    this.#parts.volumes.stop();
    const running = [...this.#runs.values()].flatMap((runs) => runs.flatMap((run) => run.running ?? []));
    for (const container of running) container.stop(0);
    await Promise.all(running.map(async ({ exited }) => await exited));
  }

  async remove(): Promise<void> {
    this.#removed ??= this.#remove();
    await this.#removed;
  }

  /** Handles a new version of an object that volumes may be filled from. */
  refresh(resource: string, object: KubeObject): void {
    if (this.#removed === undefined) this.#parts.volumes.refresh(resource, object);
  }

  /** Gives all containers a new `/etc/hosts`. */
  writeHosts(text: string): void {
    for (const runs of this.#runs.values()) {
      const run = runs.at(-1);
      if (run?.running?.over !== false) continue;
      const { hosts } = runFiles(run.folder);
      try {
        writeFileSync(`${hosts}.new`, text, { mode: 0o644 });
        renameSync(`${hosts}.new`, hosts);
      } catch {
        // The container has removed the folder, or the disk is full: the names stay unchanged.
      }
    }
  }

  async #start({ container, ...request }: ContainerRequest): Promise<RunningContainer> {
    if (this.#removed !== undefined) throw new ContainerStartError("ContainerCannotRun", "the pod is gone");
    const run = await this.#newRun(container.name, request.attempt);
    try {
      run.running = this.#container(container, run, await this.#launch({ container, ...request }, run));
      return run.running;
    } catch (error) {
      run.log.close(this.#context.options.clock.now());
      if (error instanceof ContainerStartError) throw error;
      throw new ContainerStartError("StartError", messageOf(error));
    }
  }

  async #remove(): Promise<void> {
    // A container that is just starting is waited for, so that it can be ended and nothing of it is forgotten.
    await Promise.allSettled(this.#starting);
    await this.stop();
    for (const runs of this.#runs.values()) for (const { log } of runs) log.remove();
    this.#runs.clear();
    this.#parts.connection.close();
    for (const one of [this.#parts.folder, this.#parts.memory]) await removeTree(one);
    this.#parts.onRemoved();
  }

  /** Prepares a run: the logs of the last two runs are kept, everything else of earlier runs is removed. */
  async #newRun(name: string, attempt: number): Promise<Run> {
    const runs = this.#runs.get(name) ?? [];
    this.#runs.set(name, runs);
    const last = runs.at(-1);
    for (const one of last === undefined ? [] : [last.folder, last.writable]) await removeTree(one);
    if (runs.length > 1) runs.shift()?.log.remove();
    const end = join(name, String(attempt));
    const [folder, writable] = [join(this.#parts.memory, end), join(this.#parts.folder, end)];
    const log = new ContainerLog(join(this.#parts.folder, `${name}.${attempt}.log`));
    const run = { attempt, folder, writable, log, running: undefined };
    runs.push(run);
    return run;
  }

  async #launch({ container, image, environment }: ContainerRequest, { folder, writable }: Run): Promise<Started> {
    const { pod, connection, volumes } = this.#parts;
    return await startProcess({
      machine: this.#context.machine,
      pod,
      container,
      image: this.#context.images.imageOf(image),
      variables: environment,
      hostname: pod.spec.hostname ?? pod.metadata.name,
      hosts: connection.hosts(),
      volumes: (all) => volumes.binds(container, all),
      folder,
      writable,
      onProcess: (pid) => recordProcess(this.#parts.folder, pid),
    });
  }

  #container(container: Container, run: Run, { launched, inside }: Started): ProcessContainer {
    const { options, memory } = this.#context;
    const limit = parseAmount(container.resources.limits?.["memory"] ?? "");
    return new ProcessContainer({
      id: `process://${Buffer.from(options.random.bytes(32)).toString("hex")}`,
      clock: options.clock,
      container,
      launched,
      log: run.log,
      messageFile: runFiles(run.folder).message,
      target: { container, ip: this.ip, inside },
      watchMemory: (onExceeded) =>
        limit === undefined ? () => undefined : memory.watch(launched.pid, amountToNumber(limit), onExceeded),
    });
  }
}
