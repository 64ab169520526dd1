import { join } from "node:path";
import { freePort } from "@kindling/test-kit/free-port";
import { CallerFolder, CallerServer } from "./caller-server.ts";
import type { TestNamespace } from "./test-cluster.ts";

/** The folder of an Apache Kyuubi, with the layout of its release, if there is one. */
export const KYUUBI_HOME: string | undefined = process.env["KINDLING_E2E_KYUUBI"];

/** The user of the requests. Kyuubi checks no password by default. */
const USER = "anne";

/** The request for a batch; see Kyuubi's REST API, `POST /api/v1/batches`. */
export interface KyuubiBatchRequest {
  readonly batchType: "PYSPARK" | "SPARK";
  readonly resource: string;
  readonly name: string;
  readonly args?: readonly string[];
  readonly conf?: Readonly<Record<string, string>>;
}

/** A batch in Kyuubi's answer. */
export interface KyuubiBatch {
  readonly id: string;
  readonly state: "PENDING" | "RUNNING" | "FINISHED" | "ERROR" | "CANCELED";
  /** The state that it reads from the driver pod. */
  readonly appState: string | null;
  readonly appId: string | null;
  readonly appUrl: string | null;
  readonly appDiagnostic: string | null;
}

/** A Kyuubi server with a SPARK_HOME that contains only the alias and the defaults. */
export class Kyuubi {
  readonly #folder: CallerFolder;
  readonly #server: CallerServer;

  private constructor(folder: CallerFolder, server: CallerServer) {
    this.#folder = folder;
    this.#server = server;
  }

  /** @param defaults the entries of spark-defaults.conf, in addition to those that say where to submit */
  static async start(namespace: TestNamespace, defaults: Readonly<Record<string, string>>): Promise<Kyuubi> {
    const folder = new CallerFolder({
      "spark.master": `k8s://${namespace.client.access.server}`,
      "spark.submit.deployMode": "cluster",
      ...defaults,
    });
    const conf = folder.mkdir("conf");
    const port = await freePort();
    folder.write("conf/kyuubi-defaults.conf", {
      "kyuubi.frontend.protocols": "REST",
      "kyuubi.frontend.bind.host": "127.0.0.1",
      "kyuubi.frontend.rest.bind.port": String(port),
      "kyuubi.metadata.store.jdbc.url": `jdbc:sqlite:${join(folder.path, "state.db")}`,
      "kyuubi.operation.log.dir.root": folder.mkdir("operations"),
      // A single server starts its own ZooKeeper.
      "kyuubi.zookeeper.embedded.client.port": String(await freePort()),
      "kyuubi.zookeeper.embedded.client.port.address": "127.0.0.1",
      "kyuubi.zookeeper.embedded.data.dir": folder.mkdir("zookeeper"),
      "kyuubi.zookeeper.embedded.data.log.dir": folder.mkdir("zookeeper-log"),
      "kyuubi.kubernetes.namespace": namespace.name,
      "kyuubi.batch.application.check.interval": "PT1S",
    });
    const server = await CallerServer.start({
      command: join(KYUUBI_HOME ?? "", "bin", "kyuubi"),
      args: ["run"],
      env: {
        KYUUBI_CONF_DIR: conf,
        KYUUBI_LOG_DIR: folder.mkdir("log"),
        KYUUBI_PID_DIR: folder.path,
        KYUUBI_WORK_DIR_ROOT: folder.mkdir("work"),
        SPARK_HOME: folder.sparkHome,
        // Without this, Kyuubi 1.11 reads no spark-defaults.conf: it looks for the file before it knows SPARK_HOME.
        SPARK_CONF_DIR: join(folder.sparkHome, "conf"),
        // The variant of its own engine that would fit; it cannot find this out without a Spark.
        SPARK_SCALA_VERSION: "2.13",
      },
      uri: `http://127.0.0.1:${port}`,
      ready: "/api/v1/batches",
      headers: { authorization: `Basic ${Buffer.from(`${USER}:`).toString("base64")}` },
    });
    return new Kyuubi(folder, server);
  }

  async submit(request: KyuubiBatchRequest): Promise<KyuubiBatch> {
    return await this.#server.ask("POST", "/api/v1/batches", request);
  }

  async batch(id: string): Promise<KyuubiBatch> {
    return await this.#server.ask("GET", `/api/v1/batches/${id}`);
  }

  /** The output of spark-submit, and Kyuubi's messages about it. */
  async log(id: string): Promise<string> {
    const path = `/api/v1/batches/${id}/localLog?from=0&size=1000`;
    const { logRowSet } = await this.#server.ask<{ readonly logRowSet: readonly string[] }>("GET", path);
    return logRowSet.join("\n");
  }

  async kill(id: string): Promise<{ readonly success: boolean; readonly msg: string }> {
    return await this.#server.ask("DELETE", `/api/v1/batches/${id}`);
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    this.#folder.remove();
  }
}
