import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn, type ChildProcess } from "node:child_process";
import { parse, parseAllDocuments } from "yaml";
import { runProgram } from "@kindling/recordings";
import type { Told } from "../judge.ts";
import { copied, type Tools } from "../tools.ts";

const NAMESPACE = "public-cases";
const ENDS = /^(?:COMPLETED|FAILED|SUBMISSION_FAILED)$/;
const LIMIT_MS = 240_000;

/** An operator of this checkout as a process, and the namespace that it serves. Needs `kubectl`. */
export class Operator {
  readonly #tools: Tools;
  readonly #env: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  constructor(tools: Tools, kubeconfig: string) {
    this.#tools = tools;
    this.#env = { ...tools.environment, KUBECONFIG: kubeconfig };
  }

  async start(): Promise<this> {
    const chart = join(this.#tools.root, "deploy", "helm", "kindling-operator", "crds");
    await this.#kubectl(["apply", "--server-side", "-f", chart]);
    await this.#kubectl(["create", "namespace", NAMESPACE]);
    await this.#kubectl(["create", "serviceaccount", "spark"]);
    await this.#kubectl([
      "create",
      "rolebinding",
      "spark",
      "--clusterrole=edit",
      `--serviceaccount=${NAMESPACE}:spark`,
    ]);
    const program = join(this.#tools.root, "packages", "operator", "bin", "kindling-operator.cjs");
    const args = [program, "controller", "start", "--health-probe-bind-address=0", `--namespaces=${NAMESPACE}`];
    const child = spawn(process.execPath, args, { env: this.#env, stdio: ["ignore", "pipe", "ignore"] });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        if (text.includes("the cluster has been listed")) resolve();
      });
      child.once("exit", () => reject(new Error("the operator ended")));
    });
    return this;
  }

  /**
   * Applies the YAML files of a folder, and returns the results of its applications.
   *
   * @param objects a manifest of what they need
   */
  async run(folder: string, objects: string | undefined): Promise<Told> {
    const copy = copied(folder, this.#tools);
    if (objects !== undefined) {
      writeFileSync(join(copy, "needed.json"), JSON.stringify(parse(objects)));
      await this.#kubectl(["apply", "-f", join(copy, "needed.json")]);
    }
    if (existsSync(join(copy, "gen.py"))) await this.#shell("python3 gen.py > app.yaml", copy);
    const files = readdirSync(copy).filter((name) => name.endsWith(".yaml"));
    const ordered = files.toSorted((a) => (a.startsWith("configmap") ? -1 : 1));
    const applied = [];
    for (const file of ordered) applied.push(await this.#kubectl(["apply", "-f", join(copy, file)]));
    const names = files.flatMap((file) => applicationsIn(readFileSync(join(copy, file), "utf8")));
    const told = await Promise.all(names.map((name) => this.#untilEnd(name)));
    await this.#kubectl(["delete", "sparkapplications", "--all", "--wait=true"]);
    return {
      text: [...applied, ...told.map(({ text }) => text)].join("\n"),
      state: told.map(({ state }) => state).join(" "),
      faults: [],
    };
  }

  async stop(): Promise<void> {
    this.#process?.removeAllListeners("exit").kill("SIGTERM");
    await this.#kubectl(["delete", "namespace", NAMESPACE, "--wait=false"]);
  }

  async #untilEnd(name: string): Promise<{ readonly state: string; readonly text: string }> {
    const until = Date.now() + LIMIT_MS;
    let state = "";
    while (Date.now() < until) {
      state = (
        await this.#kubectl(["get", "sparkapplication", name, "-o=jsonpath={.status.applicationState.state}"])
      ).trim();
      if (ENDS.test(state)) break;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    const shown = ["status", "events"].map((word) => `kindling app ${word} ${name} -n ${NAMESPACE}`).join("; ");
    return { state, text: await this.#shell(shown, this.#tools.root) };
  }

  async #kubectl(args: readonly string[]): Promise<string> {
    const { out, err } = await runProgram("kubectl", ["-n", NAMESPACE, ...args], {
      env: this.#env,
      cwd: this.#tools.root,
    });
    return `${out}${err}`;
  }

  async #shell(script: string, cwd: string): Promise<string> {
    const { out, err } = await runProgram("sh", ["-c", script], { env: this.#env, cwd });
    return `${out}${err}`;
  }
}

function applicationsIn(text: string): string[] {
  return parseAllDocuments(text, { uniqueKeys: false }).flatMap((document) => {
    const { kind, metadata } = (document.toJS() ?? {}) as { kind?: string; metadata?: { name?: string } };
    return kind === "SparkApplication" && metadata?.name !== undefined ? [metadata.name] : [];
  });
}
