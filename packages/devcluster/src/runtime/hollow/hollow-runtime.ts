import type { Clock } from "@kindling/outside";
import type { Container, Pod } from "../../objects/pod.ts";
import type { Random } from "@kindling/outside";
import type { LogLine, LogQuery } from "../logs.ts";
import {
  type ContainerExit,
  type ContainerRequest,
  ContainerStartError,
  ImagePullError,
  type NodeCapacity,
  type PulledImage,
  type RunningContainer,
  type Runtime,
  type Sandbox,
  type SandboxRequest,
} from "../runtime.ts";
import { HollowLog } from "./hollow-log.ts";
import { type ContainerScript, DEFAULT_SCRIPT, type Script, annotationScript } from "./script.ts";

const CAPACITY: NodeCapacity = { cpu: "1000", memory: "4000Gi", pods: "20000", ephemeralStorage: "4000Gi" };
const KILLED = 137;
const TERMINATED = 143;

export interface HollowOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Decides what containers do; the pod's annotations win over it. */
  readonly script?: Script;
  readonly capacity?: Partial<NodeCapacity>;
  /** The address of all pods, for tests that serve something there. Default: each pod has its own, which nobody can reach. */
  readonly address?: string;
}

/** A simulated container, with a function that ends it from outside. */
interface HollowContainer {
  readonly pod: Pod;
  readonly name: string;
  readonly end: (exit: Omit<ContainerExit, "finishedAt">) => void;
}

/** Runs pods without processes: their phases follow the clock and their scripts. */
export class HollowRuntime implements Runtime {
  readonly name = "hollow";
  readonly version = "0.1.0";
  readonly capacity: NodeCapacity;
  readonly #options: HollowOptions;
  readonly #running = new Set<HollowContainer>();
  #nextAddress = 1;
  #slowdown = 0;
  readonly #badImages = new Map<string, string>();

  constructor(options: HollowOptions) {
    this.#options = options;
    this.capacity = { ...CAPACITY, ...options.capacity };
  }

  async startSandbox({ pod }: SandboxRequest): Promise<Sandbox> {
    await this.#wait(this.#slowdown);
    return new HollowSandbox(this, pod, this.#address());
  }

  async close(): Promise<void> {
    for (const container of this.#running) container.end({ exitCode: KILLED, signal: 9, reason: "Error" });
    await Promise.resolve();
  }

  /** Fails the pulls of an image from now on. Returns a function that lets them succeed again. */
  failImage(image: string, message: string = `failed to resolve reference "${image}": not found`): () => void {
    this.#badImages.set(image, message);
    return () => this.#badImages.delete(image);
  }

  /** Delays every start from now on by this many milliseconds. */
  slowStarts(milliseconds: number): () => void {
    this.#slowdown = milliseconds;
    return () => {
      this.#slowdown = 0;
    };
  }

  /** Ends containers of a pod as if they had used too much memory; returns how many there were. */
  outOfMemory(uid: string, container?: string): number {
    return this.exit(uid, { exitCode: KILLED, reason: "OOMKilled" }, container);
  }

  /** Ends containers of a pod with the given exit; returns how many there were. */
  exit(uid: string, exit: Omit<ContainerExit, "finishedAt">, container?: string): number {
    const hit = [...this.#running].filter(
      ({ pod, name }) => pod.metadata.uid === uid && (container === undefined || name === container),
    );
    for (const one of hit) one.end(exit);
    return hit.length;
  }

  /** What a container of a pod will do. */
  scriptOf(pod: Pod, container: Container, attempt: number): ContainerScript {
    const given = this.#options.script?.(pod, container, attempt) ?? {};
    return { ...DEFAULT_SCRIPT, ...given, ...annotationScript(pod, container) };
  }

  async pull(pod: Pod, container: Container): Promise<PulledImage> {
    const script = this.scriptOf(pod, container, 0);
    const image = container.image ?? "";
    await this.#wait(script.pullMilliseconds);
    const error = this.#badImages.get(image) ?? script.pullError;
    if (error !== undefined) throw new ImagePullError("ErrImagePull", error);
    const present = script.pullMilliseconds === 0;
    return { imageId: `hollow://${image}`, name: image, bytes: 0, milliseconds: script.pullMilliseconds, present };
  }

  async startContainer(pod: Pod, { container, attempt }: ContainerRequest, log: HollowLog): Promise<RunningContainer> {
    const script = this.scriptOf(pod, container, attempt);
    await this.#wait(script.startMilliseconds + this.#slowdown);
    if (script.startError !== undefined) throw new ContainerStartError("StartError", script.startError);
    const { clock } = this.#options;
    for (const line of script.log) log.write(clock.now(), line);
    return this.#run(pod, container, script, log);
  }

  #run(pod: Pod, container: Container, script: ContainerScript, log: HollowLog): RunningContainer {
    const { clock, random } = this.#options;
    let settle: (exit: ContainerExit) => void = () => undefined;
    const exited = new Promise<ContainerExit>((resolve) => {
      settle = resolve;
    });
    const cancels: (() => void)[] = [];
    const end = (exit: Omit<ContainerExit, "finishedAt">): void => {
      if (!this.#running.delete(running)) return;
      for (const cancel of cancels) cancel();
      log.close();
      settle({ ...exit, finishedAt: clock.now() });
    };
    const running: HollowContainer = { pod, name: container.name, end };
    this.#running.add(running);
    const own = { exitCode: script.exitCode, ...(script.reason === undefined ? {} : { reason: script.reason }) };
    if (script.runMilliseconds !== undefined) cancels.push(clock.after(script.runMilliseconds, () => end(own)));
    return {
      id: `hollow://${Buffer.from(random.bytes(32)).toString("hex")}`,
      startedAt: clock.now(),
      ready: this.#wait(script.readyMilliseconds),
      exited,
      stop: (grace) => {
        const late = script.stopMilliseconds > grace;
        const exit = late ? { exitCode: KILLED, reason: "Error" } : { exitCode: TERMINATED, reason: "Error" };
        const delay = Math.min(grace, script.stopMilliseconds);
        if (delay === 0) end(exit);
        else cancels.push(clock.after(delay, () => end(exit)));
      },
    };
  }

  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    await new Promise<void>((resolve) => void this.#options.clock.after(milliseconds, resolve));
  }

  #address(): string {
    if (this.#options.address !== undefined) return this.#options.address;
    const number = this.#nextAddress;
    this.#nextAddress = number >= 0x9_fffe ? 1 : number + 1;
    return `10.${244 + (number >> 16)}.${(number >> 8) & 0xff}.${number & 0xff}`;
  }
}

class HollowSandbox implements Sandbox {
  readonly ip: string;
  readonly #runtime: HollowRuntime;
  readonly #pod: Pod;
  readonly #logs = new Map<string, HollowLog>();
  readonly #containers: RunningContainer[] = [];

  constructor(runtime: HollowRuntime, pod: Pod, ip: string) {
    this.#runtime = runtime;
    this.#pod = pod;
    this.ip = ip;
  }

  async pullImage(container: Container): Promise<PulledImage> {
    return await this.#runtime.pull(this.#pod, container);
  }

  async start(request: ContainerRequest): Promise<RunningContainer> {
    const log = new HollowLog();
    const running = await this.#runtime.startContainer(this.#pod, request, log);
    this.#logs.set(`${request.container.name}/${request.attempt}`, log);
    this.#containers.push(running);
    return running;
  }

  readLog(container: string, attempt: number, query: LogQuery): AsyncIterable<LogLine> | undefined {
    return this.#logs.get(`${container}/${attempt}`)?.read(query);
  }

  async stop(): Promise<void> {
    for (const container of this.#containers) container.stop(0);
    await Promise.all(this.#containers.map(async ({ exited }) => await exited));
  }

  async remove(): Promise<void> {
    await this.stop();
    this.#logs.clear();
  }
}
