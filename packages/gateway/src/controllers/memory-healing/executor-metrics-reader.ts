import type { Term } from "@kindling/controller";
import type { MemorySize } from "@kindling/gateway-client";
import { httpTransport, type HttpTransport, readText, withoutProxy } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import type { Application } from "../../views/applications/application.ts";
import { textAt } from "../../json/fields.ts";
import { type Collecting, CollectionWatch } from "../../healing/collection-watch.ts";
import { peakIn } from "../../healing/executor-peaks.ts";

/** Executors report to their driver as often as this. */
const INTERVAL_MS = 10_000;
const TIMEOUT_MS = 3_000;
const MOST_BYTES = 4 * 1024 * 1024;

interface Followed {
  readonly port: number;
  readonly watch: CollectionWatch;
  peak: MemorySize | undefined;
}

/**
 * Asks the web UI of drivers six times a minute how much their executors have used at most, and how long they have collected
 * garbage (Spark's REST API, `allexecutors`). If a UI cannot be reached, nothing is known, and nothing else happens.
 */
export class ExecutorMetricsReader {
  readonly #transport: HttpTransport;
  readonly #clock: Clock;
  readonly #onCollecting: (application: Application, executor: Collecting) => void;
  readonly #followed = new Map<Application, Followed>();
  #cancel: (() => void) | undefined;

  /** @param onCollecting told of executors that do little else than collect garbage, each time they are looked at */
  constructor(term: Term, clock: Clock, onCollecting: (application: Application, executor: Collecting) => void) {
    this.#clock = clock;
    this.#onCollecting = onCollecting;
    const times = { connectTimeoutMs: TIMEOUT_MS, stallTimeoutMs: TIMEOUT_MS, answerTimeoutMs: TIMEOUT_MS };
    this.#transport = httpTransport({ clock, tls: {}, proxies: withoutProxy, ...times });
    term.onEnd(() => {
      this.#cancel?.();
      this.#followed.clear();
      this.#transport.close();
    });
  }

  /** @param port of the web UI; `undefined` if it has none that can be asked */
  follow(application: Application, port: number | undefined): void {
    if (port === undefined) return;
    this.#followed.set(application, { port, watch: new CollectionWatch(), peak: undefined });
    this.#cancel ??= this.#clock.after(INTERVAL_MS, () => this.#look());
  }

  /** The most that one executor of the application has used; it is not asked any more. */
  forget(application: Application): MemorySize | undefined {
    const peak = this.#followed.get(application)?.peak;
    this.#followed.delete(application);
    return peak;
  }

  #look(): void {
    this.#cancel = undefined;
    const all = [...this.#followed].map(async ([application, followed]) => await this.#ask(application, followed));
    void Promise.all(all).then(() => {
      if (this.#followed.size > 0) this.#cancel ??= this.#clock.after(INTERVAL_MS, () => this.#look());
    });
  }

  async #ask(application: Application, followed: Followed): Promise<void> {
    const found = await this.#executors(application, followed.port);
    if (found === undefined) return;
    followed.peak = peakIn(found, followed.peak);
    for (const one of followed.watch.look(found, this.#clock.monotonic())) this.#onCollecting(application, one);
  }

  async #executors({ driver, id }: Application, port: number): Promise<unknown> {
    const address = textAt(driver, "status", "podIP");
    if (address === undefined) return undefined;
    const host = address.includes(":") ? `[${address}]` : address;
    const path = `/api/v1/applications/${encodeURIComponent(id)}/allexecutors`;
    try {
      const url = new URL(`http://${host}:${port}${path}`);
      const response = await this.#transport.send({ method: "GET", url, headers: { accept: "application/json" } });
      const text = await readText(response, { mostBytes: MOST_BYTES });
      return response.status === 200 ? JSON.parse(text) : undefined;
    } catch {
      // The UI starts later, has ended, or is closed to the gateway.
      return undefined;
    }
  }
}
