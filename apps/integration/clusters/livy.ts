import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKubeClient, isNotFound, loadClusterAccess } from "@kindling/kube";
import { freePort } from "@kindling/test-kit/free-port";
import { CallerFolder, CallerServer } from "./caller-server.ts";
import type { TestNamespace } from "./test-cluster.ts";

/** The folder of an Apache Livy 0.9 or later, with the layout of its release, if there is one. */
const LIVY_HOME: string | undefined = process.env["KINDLING_E2E_LIVY"];

/** Why Livy cannot be run, if it cannot. */
export async function whyNoLivy(): Promise<string | undefined> {
  if (LIVY_HOME === undefined) return "KINDLING_E2E_LIVY names no Livy";
  const client = createKubeClient(await loadClusterAccess({ env: process.env }));
  try {
    await client.resourceFor("networking.k8s.io/v1", "Ingress");
    return undefined;
  } catch (error) {
    // Livy asks for the ingress of each application, and without an answer it reports no state. Embedded clusters have no
    // ingresses.
    if (isNotFound(error)) return "the cluster knows no ingresses";
    throw error;
  } finally {
    client.close();
  }
}

/** The request for a batch; see Livy's REST API, `POST /batches`. */
export interface LivyBatchRequest {
  readonly file: string;
  readonly name: string;
  readonly args?: readonly string[];
  readonly conf?: Readonly<Record<string, string>>;
}

/** A batch in Livy's answer. */
export interface LivyBatch {
  readonly id: number;
  readonly state: "starting" | "running" | "success" | "dead" | "killed";
  readonly appId: string | null;
}

/** A Livy server with a SPARK_HOME that contains only the alias and the defaults. */
export class Livy {
  readonly #folder: CallerFolder;
  readonly #server: CallerServer;

  private constructor(folder: CallerFolder, server: CallerServer) {
    this.#folder = folder;
    this.#server = server;
  }

  /** @param defaults the entries of spark-defaults.conf */
  static async start(namespace: TestNamespace, defaults: Readonly<Record<string, string>>): Promise<Livy> {
    const folder = new CallerFolder(defaults);
    const conf = folder.mkdir("conf");
    const port = await freePort();
    folder.write("conf/livy.conf", {
      "livy.server.host": "127.0.0.1",
      "livy.server.port": String(port),
      "livy.spark.master": `k8s://${namespace.client.access.server}`,
      "livy.spark.deploy-mode": "cluster",
      "livy.server.kubernetes.poll-interval": "1s",
    });
    // Without a logging configuration Livy prints nothing, not even why it does not start.
    writeFileSync(
      join(conf, "log4j.properties"),
      ["log4j.rootCategory=WARN, err", "log4j.appender.err=org.apache.log4j.ConsoleAppender"]
        .concat("log4j.appender.err.target=System.err", "log4j.appender.err.layout=org.apache.log4j.SimpleLayout", "")
        .join("\n"),
    );
    const server = await CallerServer.start({
      command: join(LIVY_HOME ?? "", "bin", "livy-server"),
      // Without arguments it stays in the foreground.
      args: [],
      env: { LIVY_CONF_DIR: conf, LIVY_LOG_DIR: folder.mkdir("log"), SPARK_HOME: folder.sparkHome },
      uri: `http://127.0.0.1:${port}`,
      ready: "/batches",
    });
    return new Livy(folder, server);
  }

  async submit(request: LivyBatchRequest): Promise<LivyBatch> {
    return await this.#server.ask("POST", "/batches", request);
  }

  async batch(id: number): Promise<LivyBatch> {
    return await this.#server.ask("GET", `/batches/${id}`);
  }

  /** The output of the driver and of spark-submit. */
  async log(id: number): Promise<string> {
    const { log } = await this.#server.ask<{ readonly log: readonly string[] }>("GET", `/batches/${id}/log?size=1000`);
    return log.join("\n");
  }

  async kill(id: number): Promise<void> {
    await this.#server.ask("DELETE", `/batches/${id}`);
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    this.#folder.remove();
  }
}
