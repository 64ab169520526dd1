import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "@kindling/outside";
import { waitForPort } from "../src/wait-for-port.ts";
import { CONVERSATIONS, writeFiles } from "./support/conversations.ts";
import { converse, type Answered } from "./support/transcript.ts";
import { ShuffleFiles } from "./support/shuffle-files.ts";

/** The folder of a Spark. With it, the conversations with Spark's own service are recorded again. */
const SPARK = process.env["KINDLING_SHUFFLE_RECORD"];

test.skipIf(SPARK === undefined)(
  "records conversations with Spark's own service",
  async () => {
    const home = SPARK ?? "";
    const [, version = ""] = /spark-network-shuffle_[\d.]+-([\d.]+)\.jar/.exec(jarsOf(home)) ?? [];
    const recorded: Record<string, readonly Answered[]> = {};
    // One service for all: below the folder that all roots are in.
    const service = await startSpark(home, "/tmp");
    for (const conversation of CONVERSATIONS) {
      const files = new ShuffleFiles();
      writeFiles(files);
      recorded[conversation.name] = await converse(service.port, conversation, files);
      files.remove();
    }
    await service.stop();
    const path = new URL(`recordings/${version}.json`, import.meta.url);
    writeFileSync(path, `${JSON.stringify(recorded, undefined, 2)}\n`);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(recorded);
  },
  600_000,
);

function jarsOf(home: string): string {
  return readdirSync(join(home, "jars")).join("\n");
}

async function startSpark(home: string, root: string): Promise<{ port: number; stop: () => Promise<void> }> {
  const port = await freePort();
  const child = spawn(
    "java",
    [
      ...["-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", join(home, "jars", "*")],
      ...[`-Dspark.shuffle.service.port=${port}`, "org.apache.spark.deploy.ExternalShuffleService"],
    ],
    { env: { PATH: process.env["PATH"], SPARK_LOCAL_DIRS: root }, stdio: "ignore" },
  );
  await waitForPort(port, 60_000, systemClock);
  return {
    port,
    async stop() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
