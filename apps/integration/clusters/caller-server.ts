import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { startRealServer, type RealServer } from "@kindling/test-kit/real-server";

const MANIFEST = createRequire(import.meta.url).resolve("@kindling/spark-submit/package.json");

/** How to start a server that runs spark-submit. */
export interface CallerServerOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly uri: string;
  /** A path that returns success as soon as the server is ready. */
  readonly ready: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Another project's server, as a process of this machine, that submits by running `$SPARK_HOME/bin/spark-submit`. */
export class CallerServer {
  readonly #options: CallerServerOptions;
  readonly #server: RealServer;

  private constructor(options: CallerServerOptions, server: RealServer) {
    this.#options = options;
    this.#server = server;
  }

  static async start(options: CallerServerOptions): Promise<CallerServer> {
    const { command, args, env, uri, ready, headers } = options;
    const tryWrite = async (): Promise<void> => {
      const response = await fetch(new URL(ready, uri), { headers: { ...headers } });
      if (!response.ok) throw new Error(`GET ${ready}: status ${response.status}`);
    };
    // The alias is a Node program.
    const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
    const server = await startRealServer({ command, args, env: { ...env, PATH }, endpoint: uri, tryWrite });
    return new CallerServer(options, server);
  }

  /** Sends a request to its API; rejects if the answer is no success. */
  async ask<T>(method: string, path: string, body?: object): Promise<T> {
    const { uri, headers } = this.#options;
    const response = await fetch(new URL(path, uri), {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: status ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  async stop(): Promise<void> {
    await this.#server.stop();
  }
}

/** The folder of such a server's files; `spark` in it is its SPARK_HOME. */
export class CallerFolder {
  readonly path: string = mkdtempSync(join(tmpdir(), "kindling-e2e-caller-"));
  readonly sparkHome: string = join(this.path, "spark");

  /** @param defaults the entries of spark-defaults.conf */
  constructor(defaults: Readonly<Record<string, string>>) {
    mkdirSync(join(this.sparkHome, "bin"), { recursive: true });
    mkdirSync(join(this.sparkHome, "conf"));
    symlinkSync(join(dirname(MANIFEST), "bin", "spark-submit.js"), join(this.sparkHome, "bin", "spark-submit"));
    writeFileSync(join(this.sparkHome, "conf", "spark-defaults.conf"), lines(defaults));
  }

  /** Creates a folder inside; returns its path. */
  mkdir(name: string): string {
    const folder = join(this.path, name);
    mkdirSync(folder);
    return folder;
  }

  /** Writes a file of keys and values inside. */
  write(name: string, entries: Readonly<Record<string, string>>): void {
    writeFileSync(join(this.path, name), lines(entries));
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

// A separator that spark-defaults.conf, livy.conf and kyuubi-defaults.conf all accept.
const lines = (entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([key, value]) => `${key} = ${value}\n`)
    .join("");
