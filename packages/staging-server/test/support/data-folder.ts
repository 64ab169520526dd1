import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Digest } from "@kindling/staging-client";
import { eventually } from "@kindling/test-kit/eventually";
import { httpCall } from "./http-call.ts";
import { jsonCall, type TestServer } from "./test-server.ts";

/** The path of a document. */
export function documentPath(server: TestServer, name: string): string {
  return join(server.config["store.path"], "meta", `${name}.json`);
}

/** The path of a file's bytes. */
export function blobPath(server: TestServer, digest: Digest): string {
  const hex = digest.slice("sha256:".length);
  return join(server.config["store.path"], "blobs", hex.slice(0, 2), hex.slice(2));
}

/** The names of the files that were set aside, without their times. */
export async function damagedFiles(server: TestServer): Promise<string[]> {
  const folder = join(server.config["store.path"], "damaged");
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => file.includes(".")).map((file) => file.replace(/\.\w+$/, ""));
}

/** The value of a metric without labels. */
export async function metric(server: TestServer, name: string): Promise<number> {
  const text = (await httpCall(`${server.adminUri}metrics`)).body.toString();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
}

/** The names of damaged documents and files in the log. */
export function damageLogged(server: TestServer): string[] {
  return server.logLines
    .map((line) => JSON.parse(line) as { level: string; msg: string; document?: string; file?: string })
    .filter(({ level, msg }) => level === "error" && msg.includes("was set aside"))
    .map(({ document, file }) => document ?? file ?? "");
}

/** Runs two collections, because the second one deletes what the first one marks. */
export async function collect(server: TestServer): Promise<void> {
  for (let round = 0; round < 2; round++) {
    // One of several servers has to be elected first.
    const answer = await eventually(async () => {
      const answer = await server.call("api/v1/gc", jsonCall({}));
      if (answer.status === 409) throw new Error(answer.body.toString());
      return answer;
    });
    if (answer.status !== 200) throw new Error(`the collection failed: ${answer.body.toString()}`);
    // Lifetimes need some time to pass.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
