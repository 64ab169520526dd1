// Records what the real spark-submit does: node record.ts CASES.json FOLDER. SPARK_HOME names the Spark. CASES.json is a list
// of { name, args, app?, env?, files?, rejections? }.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseProperties } from "../../packages/core-spec/src/conf/properties-text.ts";
import { commonArguments, factsOf } from "./common-arguments.ts";
import type { SubmitRecording } from "./load.ts";
import { recordedObjects } from "./normalize.ts";
import { refusalLines } from "./refusal-lines.ts";
import { runProgram } from "./run-program.ts";
import { StubApiServer } from "./stub-api-server.ts";
import { workFolder } from "./work-folder.ts";

type Case = Pick<SubmitRecording, "name" | "args"> & Partial<SubmitRecording>;

const DEFAULT_APP = ["--class", "org.example.Main", "local:///opt/spark/examples/jars/app.jar", "a", "b c"];

const [casesFile, folder, ...only] = process.argv.slice(2);
const home = process.env["SPARK_HOME"];
if (casesFile === undefined || folder === undefined || home === undefined) {
  throw new Error("usage: SPARK_HOME=… node record.ts CASES.json FOLDER [NAME…]");
}
const sparkVersion = /spark-kubernetes_[\d.]+-([\d.]+)\.jar/.exec(await listJars(home))?.[1] ?? "";
mkdirSync(folder, { recursive: true });
for (const item of JSON.parse(readFileSync(casesFile, "utf8")) as Case[]) {
  if (only.length > 0 && !only.includes(item.name)) continue;
  const recording = await record(item, home, sparkVersion);
  writeFileSync(join(folder, `${item.name}.json`), `${JSON.stringify(recording, undefined, 1)}\n`);
  process.stdout.write(`${item.name}: exit ${recording.exit}\n`);
}

async function listJars(sparkHome: string): Promise<string> {
  return (await runProgram("ls", [join(sparkHome, "jars")], { env: process.env, cwd: "." })).out;
}

async function record(
  item: Case,
  sparkHome: string,
  version: string,
): Promise<SubmitRecording & { readonly requests: readonly string[] }> {
  const server = await new StubApiServer(item.rejections).start();
  const work = workFolder(item.files ?? {});
  try {
    const app = item.app ?? DEFAULT_APP;
    const args = [
      ...commonArguments(server.address, version),
      ...[...item.args, ...app].map((word) => work.fill(word)),
    ];
    const own = Object.fromEntries(Object.entries(item.env ?? {}).map(([key, value]) => [key, work.fill(value)]));
    const env = { ...process.env, SPARK_HOME: sparkHome, KUBECONFIG: "/dev/null", ...own };
    const { exit, err } = await runProgram(join(sparkHome, "bin", "spark-submit"), args, { env, cwd: work.path });
    return {
      name: item.name,
      sparkVersion: version,
      args: item.args,
      app,
      env: item.env ?? {},
      files: item.files ?? {},
      exit,
      ...(item.rejections && { rejections: item.rejections }),
      ...(exit !== 0 && { stderr: refusalLines(err, factsOf(server.address, work.path)) }),
      requests: server.requests.map(({ method, path, status }) => `${method} ${path} ${status}`),
      objects: recordedObjects(server.requests, factsOf(server.address, work.path), parseProperties),
    };
  } finally {
    work.remove();
    await server.stop();
  }
}
