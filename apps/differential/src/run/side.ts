import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseProperties } from "@kindling/core-spec";
import {
  factsOf,
  recordedObjects,
  StubApiServer,
  withPlaceholders,
  writeFiles,
  type JsonObject,
  type Ran,
  type WrittenContent,
} from "@kindling/recordings";
import type { Case, FileContent } from "../cases/case.ts";
import { existingPods, statusOfPod } from "./existing-pods.ts";
import type { Variables } from "./environment.ts";

/** The result of a case on one of the two sides, in a comparable form. */
export interface Outcome {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  readonly objects: Readonly<Record<string, JsonObject>>;
  /** The unchanged lines of spark.properties, without comments. */
  readonly properties: readonly string[];
  readonly deletions: readonly string[];
  readonly wrote: boolean;
  /** Name and content of each file that was uploaded. */
  readonly uploads: Readonly<Record<string, string>>;
  /** Whether the command line was passed to a real spark-submit, and arrived unchanged. */
  readonly handedOver: "unchanged" | "changed" | undefined;
}

/** A command line, ready to run. */
export interface Filled {
  readonly args: readonly string[];
  readonly env: Variables;
  readonly cwd: string;
}

/** A folder and a stand-in API server; one of the two sides runs one case after the other in them. */
export class Side {
  readonly folder: string;
  readonly #sparkVersion: string;
  readonly #start: (command: Filled, kase: Case) => Promise<Ran>;

  /** @param folder is emptied for each case */
  constructor(folder: string, sparkVersion: string, start: (command: Filled, kase: Case) => Promise<Ran>) {
    this.folder = folder;
    this.#sparkVersion = sparkVersion;
    this.#start = start;
    mkdirSync(folder, { recursive: true });
  }

  async run(kase: Case): Promise<Outcome> {
    const podStatus = (pod: JsonObject): JsonObject => statusOfPod(pod, kase.driverEnds);
    const server = new StubApiServer([], { objects: existingPods(kase.pods), podStatus });
    await server.start();
    const port = server.address.replace(/^.*:/, "");
    const fill = (text: string): string =>
      text.replaceAll("{W}", this.folder).replaceAll("{PORT}", port).replaceAll("{V}", this.#sparkVersion);
    try {
      this.#layOut(kase.files, fill);
      const args = [...kase.flags.flat(), ...kase.app].map(fill);
      const env = Object.fromEntries(Object.entries(kase.env).map(([name, value]) => [name, fill(value)]));
      const ran = await this.#start({ args, env, cwd: this.folder }, kase);
      return this.#outcome(ran, server, args);
    } finally {
      await server.stop();
    }
  }

  #layOut(files: Case["files"], fill: (text: string) => string): void {
    for (const name of readdirSync(this.folder)) rmSync(join(this.folder, name), { recursive: true, force: true });
    const filled = Object.entries(files).map(([name, content]) => [name, writtenContent(content, fill)] as const);
    writeFiles(this.folder, Object.fromEntries(filled));
  }

  #outcome({ exit, out, err }: Ran, { requests, address }: StubApiServer, args: readonly string[]): Outcome {
    const handed = readIfThere(join(this.folder, HANDED_OVER));
    const facts = factsOf(address, this.folder);
    const clean = (text: string): string => withPlaceholders(text, facts);
    const writes = requests.filter(({ method, status }) => method !== "GET" && status < 400);
    const recorded = Object.entries(recordedObjects(requests, facts, parseProperties));
    const objects = Object.fromEntries(recorded.map(([name, object]) => [name, withReadableData(object, clean)]));
    return {
      ...{ exit, out: clean(out), err: clean(err), objects },
      properties: requests
        .flatMap(({ body }) => propertiesOf(body))
        .map((line) =>
          clean(line.replace(/(submitTime=)\d+/, "$1{time}").replaceAll(/127\.0\.0\.1\\:\d+/g, "{apiServer}")),
        )
        .toSorted(),
      deletions: writes
        .filter(({ method }) => method === "DELETE")
        .map(({ path, body }) => `${path} ${graceOf(body)}`)
        .toSorted(),
      wrote: writes.length > 0,
      uploads: Object.fromEntries(
        filesBelow(join(this.folder, "up")).map(([name, text]) => [clean(name), clean(text)]),
      ),
      handedOver:
        handed === undefined
          ? undefined
          : handed === args.map((word) => `${word}\0`).join("")
            ? "unchanged"
            : "changed",
    };
  }
}

/** The content of a Secret may contain the path of the folder, which is different in the two runs. */
function withReadableData(object: JsonObject, clean: (text: string) => string): JsonObject {
  const { kind, data } = object;
  if (kind !== "Secret" || typeof data !== "object" || data === null) return object;
  const readable = Object.entries(data).map(([name, value]) => {
    const bytes = Buffer.from(String(value), "base64");
    const text = bytes.toString();
    return [name, Buffer.from(text).equals(bytes) ? clean(text) : value] as const;
  });
  return { ...object, data: Object.fromEntries(readable) };
}

/** Where the stand-in for a spark-submit writes its arguments. */
export const HANDED_OVER = "handed-over";

function writtenContent(content: FileContent, fill: (text: string) => string): WrittenContent {
  if (typeof content === "string") return fill(content);
  return "link" in content ? content : Buffer.from(content.base64, "base64");
}

function propertiesOf(body: unknown): string[] {
  const { data } = (body ?? {}) as { data?: Readonly<Record<string, unknown>> | null };
  const text = data?.["spark.properties"];
  return typeof text === "string" ? text.split("\n").filter((line) => line !== "" && !line.startsWith("#")) : [];
}

function graceOf(body: unknown): string {
  const { gracePeriodSeconds } = (body ?? {}) as { gracePeriodSeconds?: unknown };
  return String(gracePeriodSeconds ?? "");
}

function filesBelow(folder: string): [string, string][] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
  return names
    .filter((name) => lstatSync(join(folder, name)).isFile() && !name.endsWith(".crc"))
    .map((name): [string, string] => [name, readFileSync(join(folder, name), "utf8")])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
