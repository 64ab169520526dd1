import type { Term } from "@kindling/controller";
import type { MemorySize } from "@kindling/gateway-client";
import { httpTransport, type HttpTransport, readText, withoutProxy } from "@kindling/http";
import type { Clock } from "@kindling/outside";
import type { Application } from "../../views/applications/application.ts";
import { textAt } from "../../json/fields.ts";
import { peakIn } from "../../healing/executor-peaks.ts";

const INTERVAL_MS = 15_000;
const TIMEOUT_MS = 3_000;
const MOST_BYTES = 4 * 1024 * 1024;

interface Followed {
  readonly port: number;
  peak: MemorySize | undefined;
}

/**
 * Asks the web UI of drivers four times a minute how much their executors have used at most (Spark's REST API, `allexecutors`).
 * If a UI cannot be reached, nothing is known, and nothing else happens.
 */
export class PeakReader {
  readonly #transport: HttpTransport;
  readonly #clock: Clock;
  readonly #followed = new Map<Application, Followed>();
  #cancel: (() => void) | undefined;

  constructor(term: Term, clock: Clock) {
    this.#clock = clock;
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
    this.#followed.set(application, { port, peak: undefined });
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

  async #ask({ driver, id }: Application, followed: Followed): Promise<void> {
    const address = textAt(driver, "status", "podIP");
    if (address === undefined) return;
    const host = address.includes(":") ? `[${address}]` : address;
    const path = `/api/v1/applications/${encodeURIComponent(id)}/allexecutors`;
    try {
      const url = new URL(`http://${host}:${followed.port}${path}`);
      const response = await this.#transport.send({ method: "GET", url, headers: { accept: "application/json" } });
      const text = await readText(response, { mostBytes: MOST_BYTES });
      if (response.status !== 200) return;
      const found: unknown = JSON.parse(text);
      followed.peak = peakIn(found, followed.peak);
    } catch {
      // The UI starts later, has ended, or is closed to the gateway.
    }
  }
}
