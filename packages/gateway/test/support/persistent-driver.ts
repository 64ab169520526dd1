import { type Answer, ApiClient } from "@kindling/test-kit/api-client";
import type { Pod } from "kubernetes-types/core/v1.js";
import { type FakeDriver, items } from "./fake-driver.ts";

/** The executors of a driver, as it knows them from its lists. */
export function executorsIn(answer: Answer): Pod[] {
  return items(answer).filter(({ metadata }) => metadata?.labels?.["spark-role"] === "executor");
}

/**
 * A driver that wants a number of executors, each with its own claim, and tries until it has them, as Spark does. A request
 * without an answer is repeated unchanged, and executors that are missing from the next list are requested with new ids.
 */
export class PersistentDriver {
  readonly #driver: FakeDriver;
  readonly #gatewayUri: () => string;
  readonly #executor: ((id: number) => object) | undefined;
  #lastId = 0;

  /**
   * @param gatewayUri where the gateway is at this moment
   * @param executor builds the executor to request, if it has no claim
   */
  constructor(driver: FakeDriver, gatewayUri: () => string, executor?: (id: number) => object) {
    this.#driver = driver;
    this.#gatewayUri = gatewayUri;
    this.#executor = executor;
  }

  /** Repeats a request until there is an answer without a server error. */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    for (;;) {
      const client = new ApiClient({ url: new URL(this.#gatewayUri()), token: this.#driver.token });
      try {
        const answer = await client.request(method, path, body);
        if (answer.status < 500 && answer.status !== 429) return answer;
      } catch {
        // The gateway has gone.
      } finally {
        client.close();
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async executors(): Promise<Pod[]> {
    return executorsIn(
      await this.ask("GET", `${this.#driver.path("pods")}?labelSelector=${this.#driver.executorSelector}`),
    );
  }

  /** Asks once for the executors that are missing, and returns those that were there before. */
  async asks(count: number): Promise<Pod[]> {
    const known = await this.executors();
    for (let missing = count - known.length; missing > 0; missing -= 1) await this.#askForOne();
    return known;
  }

  /**
   * Asks until this many executors run. Executors that the constructor was given must only exist, because they wait for a
   * real driver.
   */
  async has(count: number): Promise<Pod[]> {
    for (;;) {
      const known = await this.asks(count);
      const isRunning = this.#executor !== undefined || known.every(({ status }) => status?.phase === "Running");
      if (known.length === count && isRunning) return known;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async deleteAll(): Promise<void> {
    for (const plural of ["persistentvolumeclaims", "pods"]) {
      const selector = encodeURIComponent(`spark-app-selector=${this.#driver.app}`);
      await this.ask("DELETE", `${this.#driver.path(plural)}?labelSelector=${selector}`);
    }
  }

  async #askForOne(): Promise<void> {
    this.#lastId += 1;
    const driver = this.#driver;
    if (this.#executor !== undefined) {
      await this.ask("POST", driver.path("pods"), this.#executor(this.#lastId));
      return;
    }
    const podName = `${driver.pod.metadata?.name}-exec-${this.#lastId}`;
    const claimName = `${podName}-pvc-0`;
    const spec = { volumes: [{ name: "data", persistentVolumeClaim: { claimName } }] };
    const pod = await this.ask("POST", driver.path("pods"), driver.executor(this.#lastId, { spec }));
    if (pod.status !== 201) return;
    const claim = driver.claim(claimName, pod.body);
    const made = await this.ask("POST", driver.path("persistentvolumeclaims"), claim);
    if (made.status === 201) return;
    // Spark deletes a pod whose claim it cannot create.
    await this.ask("DELETE", driver.path("pods", podName));
  }
}
