import { HollowRuntime, type HollowOptions } from "@kindling/devcluster";

type Start = Parameters<HollowRuntime["startContainer"]>;
type Log = Start[2];

/** Hollow pods with containers that start when a test says so, and log what it says. */
export class HeldRuntime extends HollowRuntime {
  readonly #clock: HollowOptions["clock"];
  readonly #logs = new Map<string, Log>();
  #released: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(options: HollowOptions) {
    super(options);
    this.#clock = options.clock;
  }

  /** No container starts from now on, until {@link release}. */
  hold(): void {
    this.#released = new Promise((resolve) => (this.#release = resolve));
  }

  release(): void {
    this.#release();
  }

  override async startContainer(...[pod, request, log]: Start): ReturnType<HollowRuntime["startContainer"]> {
    await this.#released;
    this.#logs.set(`${pod.metadata.uid}/${request.container.name}`, log);
    return await super.startContainer(pod, request, log);
  }

  /** @throws Error if the container has not started */
  writeLog(uid: string, container: string, lines: readonly string[]): void {
    const log = this.#logs.get(`${uid}/${container}`);
    if (log === undefined) throw new Error(`container ${container} has not started`);
    for (const line of lines) log.write(this.#clock.now(), line);
  }
}
