import type { ServerResponse } from "node:http";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { ApiClient } from "@kindling/test-kit/api-client";
import { sendJson, startStub, type StubServer } from "@kindling/test-kit/stub-server";
import type { Pod, PodSpec } from "kubernetes-types/core/v1.js";
import { FakeDriver, items } from "./fake-driver.ts";
import { WaitingClock } from "./waiting-clock.ts";
import { startTestGateway, type TestGateway } from "./test-gateway.ts";

/** A question that a recorder has received, and has not answered yet. */
export interface Question {
  readonly pods: readonly { readonly name: string; readonly uid: string; readonly running?: boolean }[];
  /** Says of all of its pods that their logs are read. */
  answer(): void;
  fail(): void;
}

/** A driver at a gateway that has a recorder. What the recorder answers, a test says. */
export interface HeldScene {
  readonly cluster: TestCluster;
  readonly clock: WaitingClock;
  readonly gateway: TestGateway;
  readonly driver: FakeDriver;
  readonly client: ApiClient;
  readonly recorder: StubServer;
  /** Those that are not answered. */
  readonly questions: Question[];
  /** The next question, as soon as it comes. */
  question(): Promise<Question>;
  /** Makes executors that run. */
  run(ids: readonly number[], spec?: Partial<PodSpec>): Promise<readonly Pod[]>;
  /** Ends executors, and waits until their driver sees that. */
  end(executors: readonly Pod[]): Promise<void>;
  /** The names of its executors, as the driver sees them. */
  seen(): Promise<string[]>;
  /** The requests that have deleted pods. */
  deletions(): readonly string[];
  inCluster(names: readonly string[]): Promise<void>;
}

/** @param running whether the recorder follows the logs of executors that run at once, or says nothing about them */
export async function heldScene(running: "followed" | "unanswered" = "followed"): Promise<HeldScene> {
  const cluster = await TestCluster.start();
  const clock = new WaitingClock();
  const questions: Question[] = [];
  const recorder = await startStub(({ body }, response) => {
    const question = questionOf(body, response);
    if (running === "followed" && question.pods.some((pod) => pod.running)) question.answer();
    else questions.push(question);
  });
  const gateway = await startTestGateway(cluster, { clock, settings: ["--recorder-uri", recorder.url] });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  const selected = `${driver.path("pods")}?labelSelector=${driver.executorSelector}`;
  const seen = async (): Promise<Pod[]> => items(await client.get(selected));
  return {
    ...{ cluster, clock, gateway, driver, client, recorder, questions },
    question: () =>
      eventually(() => {
        const next = questions.shift();
        if (next === undefined) throw new Error("there is no question");
        return next;
      }),
    async run(ids, spec = {}) {
      for (const id of ids) await client.post(driver.path("pods"), driver.executor(id, { spec }));
      return await Promise.all(
        ids.map(async (id) => await cluster.inPhase(await driver.made(`drv-exec-${id}`), "Running")),
      );
    },
    async end(executors) {
      for (const executor of executors) cluster.end(executor, 0);
      const names = executors.map(({ metadata }) => metadata?.name);
      await eventually(async () => {
        const ended = (await seen()).filter(({ status }) => status?.phase === "Succeeded");
        if (ended.filter(({ metadata }) => names.includes(metadata?.name)).length < names.length)
          throw new Error("they have not ended yet");
      });
    },
    seen: async () => (await seen()).map(({ metadata }) => metadata?.name ?? "").toSorted(),
    deletions: () =>
      cluster.api.requests
        .filter(({ method, path }) => method === "DELETE" && path.includes("/pods"))
        .map(({ path, query }) => [path.split("/pods")[1], query.get("fieldSelector")].filter(Boolean).join(" ")),
    inCluster: (names) =>
      eventually(async () => {
        const found = (await driver.executorsInCluster()).toSorted();
        if (found.join() !== names.join()) throw new Error(`there are ${found.join()}`);
      }),
  };
}

function questionOf(body: string, response: ServerResponse): Question {
  const { pods } = JSON.parse(body) as Pick<Question, "pods">;
  return {
    pods,
    answer: () => sendJson(response, { pods: pods.map(({ uid }) => ({ uid, end: "recorded" })) }),
    fail: () => sendJson(response, {}, 503),
  };
}
