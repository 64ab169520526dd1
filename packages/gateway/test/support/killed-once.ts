import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import { GatewayProcess } from "./gateway-process.ts";

/** A shorter grace period for incomplete executors than in production. */
const QUICK = ["--executors-orphan-grace", "2s"];

export type Moment = "before it is carried out" | "before its answer" | "after its answer";
export const MOMENTS: readonly Moment[] = ["before it is carried out", "before its answer", "after its answer"];

/** A gateway that is killed at some point, and another one that is started after that. */
export class KilledOnce {
  readonly #settings: readonly string[];
  #current: GatewayProcess;
  #successor: Promise<void> | undefined;

  private constructor(first: GatewayProcess, settings: readonly string[]) {
    this.#current = first;
    this.#settings = settings;
  }

  static async start(
    cluster: TestCluster,
    isPoint: (request: SeenRequest) => boolean,
    moment: Moment,
    settings: readonly string[] = [],
  ): Promise<KilledOnce> {
    const all = [...QUICK, ...settings];
    const killed = new KilledOnce(await GatewayProcess.start(cluster, { settings: all }), all);
    const isTime = (request: SeenRequest): boolean => killed.#successor === undefined && isPoint(request);
    const kill = (): void => {
      killed.#current.kill();
      killed.#successor = killed.#replace(cluster);
    };
    if (moment === "after its answer") {
      cluster.api.onAnswer = (request) => void (isTime(request) && kill());
    } else {
      cluster.api.fault = (request) => {
        if (!isTime(request)) return undefined;
        kill();
        return { kind: "reset", carriedOut: moment === "before its answer" };
      };
    }
    return killed;
  }

  get uri(): string {
    return this.#current.uri;
  }

  get isOver(): boolean {
    return this.#successor !== undefined;
  }

  /** Resolves when it has been killed. */
  async killed(): Promise<void> {
    await eventually(async () => {
      if (!this.isOver) throw new Error("the gateway has not come to the point at which it is killed");
    });
  }

  async #replace(cluster: TestCluster): Promise<void> {
    await this.#current.ended();
    this.#current = await GatewayProcess.start(cluster, { settings: this.#settings });
  }
}
