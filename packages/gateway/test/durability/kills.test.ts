import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import type { PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { GatewayProcess } from "../support/gateway-process.ts";
import { PersistentDriver } from "../support/persistent-driver.ts";

const GATED = { schedulingGates: [{ name: "scheduler.kindling/admission" }] };

/** Half-made executors are not waited for as long as people have to. */
const QUICK = ["--executors-orphan-grace", "2s"];

/** What the gateway asks the API server for while an application comes and goes. */
const POINTS: readonly (readonly [what: string, method: string, path: RegExp])[] = [
  ["opens a driver's gate", "PATCH", /\/pods\/drv$/],
  ["asks whose a token is", "POST", /\/tokenreviews$/],
  ["makes an executor", "POST", /\/pods$/],
  ["makes a claim", "POST", /\/persistentvolumeclaims$/],
  ["deletes executors", "DELETE", /\/pods$/],
  ["deletes claims", "DELETE", /\/persistentvolumeclaims$/],
];

type Moment = "before it is carried out" | "before its answer" | "after its answer";
const MOMENTS: readonly Moment[] = ["before it is carried out", "before its answer", "after its answer"];

/** A gateway that is killed at some point, and another that is started then. */
class KilledOnce {
  #current: GatewayProcess;
  #successor: Promise<void> | undefined;

  private constructor(first: GatewayProcess) {
    this.#current = first;
  }

  static async start(
    cluster: TestCluster,
    isPoint: (request: SeenRequest) => boolean,
    moment: Moment,
  ): Promise<KilledOnce> {
    const killed = new KilledOnce(await GatewayProcess.start(cluster, { settings: QUICK }));
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

  async #replace(cluster: TestCluster): Promise<void> {
    await this.#current.ended();
    this.#current = await GatewayProcess.start(cluster, { settings: QUICK });
  }
}

describe.each(POINTS)("a gateway that is killed when it %s", (_, method, path) => {
  test.each(MOMENTS)("%s: the next one goes on; nothing is there twice, nothing is left over", async (moment) => {
    const cluster = await TestCluster.start();
    const isPoint = (request: SeenRequest): boolean => request.method === method && path.test(request.path);
    const gateway = await KilledOnce.start(cluster, isPoint, moment);
    // It runs when its gate has been opened.
    const driver = await FakeDriver.run(cluster, "drv", { spec: GATED });
    const persistent = new PersistentDriver(driver, () => gateway.uri);

    const executors = (await persistent.has(3)).map(({ metadata }) => metadata?.name ?? "");
    const claims = async (): Promise<(string | undefined)[]> =>
      (await cluster.objects<PersistentVolumeClaim>("PersistentVolumeClaim")).map(({ metadata }) => metadata?.name);
    expect(await driver.executorsInCluster()).toEqual(executors);
    const pods = (await cluster.objects<Pod>("Pod")).filter(({ metadata }) => metadata?.name !== "drv");
    const volumes = pods.flatMap(({ spec }) => spec?.volumes ?? []);
    const mounted = volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
    await eventually(async () => expect(await claims()).toEqual(mounted));

    await persistent.deleteAll();
    await eventually(async () => {
      expect(await persistent.executors()).toEqual([]);
      expect([await driver.executorsInCluster(), await claims()]).toEqual([[], []]);
    });
    expect(gateway.isOver).toBe(true);
  });
});
