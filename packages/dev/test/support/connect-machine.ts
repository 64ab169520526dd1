import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConnectClient, type Ended } from "@kindling/test-kit/connect-client";
import { onTestFinished } from "vitest";
import { Machine, program } from "./dev-process.ts";

/**
 * Speaks gRPC at the address that Spark's Connect server is told, and answers each call with its own message. It leaves its
 * configuration in the user's folder.
 */
const DRIVER = `
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http2";
const properties = readFileSync(process.argv[process.argv.indexOf("--properties-file") + 1], "utf8");
writeFileSync(/hostPath\\.here\\.mount\\.path=(.*)/.exec(properties)[1] + "/driver.properties", properties);
const KEY = "spark.connect.grpc.binding.address=";
const host = process.argv.find((word) => word.startsWith(KEY)).slice(KEY.length);
const server = createServer();
server.on("stream", (stream) => {
  stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.pipe(stream);
});
server.listen(15002, host, () => console.log("a driver at " + host));
process.on("SIGTERM", () => process.exit(143));
`;

/** A machine whose Spark has a Connect server that is only a stub. */
export class ConnectMachine extends Machine {
  constructor() {
    super();
    program(join(this.spark, "bin", "spark-submit"), `exec '${process.execPath}' /opt/spark/bin/driver.mjs "$@"`);
    writeFileSync(join(this.spark, "bin", "driver.mjs"), DRIVER);
  }

  /** The names of the drivers of sessions. */
  async drivers(): Promise<readonly string[]> {
    const { stdout } = await this.withKubeconfig("connect", "ls", "-o", "json");
    const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly name: string }[] };
    return items.map(({ name }) => name);
  }
}

/** Runs a query at a port of this machine, as a client without a token. */
export async function query(port: number): Promise<Ended> {
  const client = new ConnectClient(`http://127.0.0.1:${port}`, { token: "" });
  onTestFinished(() => client.close());
  return await client.call("ExecutePlan");
}
