import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Kindling } from "./kindling.ts";
import { eventually } from "./test-cluster.ts";

const require = createRequire(import.meta.url);
const MANIFEST = require.resolve("@kindling/submission-server/package.json");
/** The program of `kindling serve`, started directly, so that signals go to the service itself. */
const COMMAND = join(dirname(MANIFEST), "bin", "kindling-serve.cjs");

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/** The submission service, as a process of this machine. */
export class Serving {
  readonly uri: string;
  readonly #process: Kindling;

  private constructor(uri: string, process: Kindling) {
    this.uri = uri;
    this.#process = process;
  }

  static async start(namespace: string): Promise<Serving> {
    const ports = ["--listen-port", "0", "--admin-port", "0"];
    const args = ["--cluster-namespaces", namespace, ...ports];
    const own = new Kindling(args, {}, process.cwd(), COMMAND);
    let hasEnded = false;
    void own.ended.then(() => (hasEnded = true));
    const uri = await eventually("the service", () => {
      if (hasEnded) throw new Error(`kindling serve ended: ${own.err}`);
      return Promise.resolve(/"msg":"serving","uri":"([^"]+)"/.exec(own.out)?.[1]);
    });
    return new Serving(uri, own);
  }

  async ask<T = Readonly<Record<string, unknown>>>(method: string, path: string, body?: object): Promise<Answer<T>> {
    const response = await fetch(new URL(`api/v1/${path}`, this.uri), {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  /** Reads a text answer to its end. */
  async text(path: string): Promise<string> {
    const response = await fetch(new URL(`api/v1/${path}`, this.uri));
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${text}`);
    return text;
  }

  /** Ends the service normally; the result is its exit code. */
  async stop(): Promise<number> {
    this.#process.child.kill("SIGTERM");
    return (await this.#process.ended).exit;
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#process.child.kill("SIGKILL");
    await this.#process.ended;
  }
}
