import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseProperties } from "@kindling/core-spec";
import {
  differences,
  factsOf,
  NAMESPACE,
  recordedObjects,
  runProgram,
  StubApiServer,
  writeFiles,
  type JsonObject,
} from "@kindling/recordings";
import type { Told } from "../judge.ts";
import type { Tools } from "../tools.ts";

type Content = string | { readonly hex: string } | { readonly size: number; readonly byte?: string };

/** `case.json`: in its texts `{W}` stands for the folder it runs in. */
interface Submission {
  readonly args: readonly string[];
  readonly app: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, Content>>;
  readonly dirs?: readonly string[];
  readonly links?: Readonly<Record<string, string>>;
  readonly spark?: readonly string[];
  /** Whether an image is added to it. Default: yes. */
  readonly image?: boolean;
}

interface Outcome {
  readonly exit: number;
  readonly said: string;
  readonly objects: Readonly<Record<string, JsonObject>>;
}

/**
 * Gives a submission to the real spark-submit of each of its versions and to kindling: the objects must be the same, or both
 * must refuse.
 *
 * @param alone `kindling` or `spark-submit`, if only that one may accept it
 */
export async function runSubmission(folder: string, tools: Tools, alone: string | undefined): Promise<Told> {
  const submission = JSON.parse(readFileSync(join(folder, "case.json"), "utf8")) as Submission;
  const work = tools.scratch("submission");
  const texts: string[] = [];
  const faults: string[] = [];
  for (const version of submission.spark ?? ["4.3.0"]) {
    const ours = await once(submission, [process.execPath, tools.kindling, "submit"], { version, work, tools });
    texts.push(ours.said);
    const home = tools.sparkHome(version);
    if (!existsSync(join(home, "bin", "spark-submit"))) {
      faults.push(`there is no Spark ${version} to compare with`);
      continue;
    }
    const real = await once(submission, [join(home, "bin", "spark-submit")], { version, work, tools });
    faults.push(...compare(real, ours, alone).map((fault) => `${version}: ${fault}`));
  }
  return { text: texts.join("\n"), faults };
}

function compare(real: Outcome, ours: Outcome, alone: string | undefined): string[] {
  if (real.exit !== 0 && ours.exit !== 0) return [];
  if (real.exit === 0 && ours.exit === 0) return differences(real.objects, ours.objects);
  if (alone === (ours.exit === 0 ? "kindling" : "spark-submit")) return [];
  return [`spark-submit ended with ${real.exit}, kindling with ${ours.exit}`];
}

async function once(
  submission: Submission,
  [program = "", ...before]: readonly string[],
  { version, work, tools }: { readonly version: string; readonly work: string; readonly tools: Tools },
): Promise<Outcome> {
  const fill = (text: string): string => text.replaceAll("{W}", work);
  layOut(submission, work, fill);
  const server = await new StubApiServer().start();
  try {
    const conf = {
      "spark.kubernetes.namespace": NAMESPACE,
      "spark.kubernetes.submission.waitAppCompletion": "false",
      ...(submission.image !== false && { "spark.kubernetes.container.image": `apache/spark:${version}` }),
    };
    const args = [
      ...["--master", `k8s://http://${server.address}`, "--deploy-mode", "cluster"],
      ...Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]),
      ...[...submission.args, ...submission.app].map(fill),
    ];
    const given = Object.entries(submission.env ?? {}).map(([name, value]) => [name, fill(value)] as const);
    const { exit, out, err } = await runProgram(program, [...before, ...args], {
      env: {
        ...tools.environment,
        KUBECONFIG: "/dev/null",
        KINDLING_SPARK_VERSION: version,
        SPARK_HOME: tools.sparkHome(version),
        ...Object.fromEntries(given),
      },
      cwd: work,
    });
    return {
      exit,
      said: `${err}${out}`,
      objects: recordedObjects(server.requests, factsOf(server.address, work), parseProperties),
    };
  } finally {
    await server.stop();
  }
}

function layOut({ files = {}, dirs = [], links = {} }: Submission, work: string, fill: (text: string) => string): void {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  for (const name of dirs) mkdirSync(join(work, name), { recursive: true });
  const contents = Object.entries(files).map(([name, content]) => [name, bytesOf(content, fill)] as const);
  const targets = Object.entries(links).map(([name, target]) => [name, { link: fill(target) }] as const);
  writeFiles(work, Object.fromEntries([...contents, ...targets]));
}

function bytesOf(content: Content, fill: (text: string) => string): Uint8Array {
  if (typeof content === "string") return Buffer.from(fill(content));
  if ("hex" in content) return Buffer.from(content.hex, "hex");
  return Buffer.alloc(content.size, content.byte ?? "x");
}
