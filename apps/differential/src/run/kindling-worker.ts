// Runs many command lines of kindling in one process, each as if it had its own process: the published bundle is evaluated
// again for each, with its own view of the process.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";
import type { Ran } from "@kindling/recordings";

export interface WorkerRequest {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const [, , bundle = ""] = process.argv;
const requireOfBundle = createRequire(bundle);
const names = ["exports", "require", "module", "__filename", "__dirname", "process"];
const script = new Script(`(function(${names.join(",")}){${readFileSync(bundle, "utf8")}\n})`, { filename: bundle });

/** Thrown when the command ends its process. */
class Ended extends Error {}

function run({ argv, env, cwd }: WorkerRequest): Promise<Ran> {
  process.chdir(cwd);
  return new Promise((resolve) => {
    let out = "";
    let err = "";
    let isOver = false;
    const end = (exit: number): void => {
      if (isOver) return;
      isOver = true;
      resolve({ exit, out, err });
    };
    const stream = (write: (text: string) => void): object => ({
      isTTY: false,
      on: () => undefined,
      once: () => undefined,
      write: (text: string) => write(text),
    });
    const own: Readonly<Record<string, unknown>> = {
      argv: [process.execPath, bundle, ...argv],
      env: { ...env },
      cwd: () => cwd,
      stdout: stream((text) => (out += text)),
      stderr: stream((text) => (err += text)),
      exit: (code = 0) => {
        end(code);
        throw new Ended();
      },
    };
    const itsProcess = new Proxy(process, {
      get: (target, name): unknown => (typeof name === "string" && name in own ? own[name] : Reflect.get(target, name)),
      // Setting its exit code is the last thing that a command does.
      set(target, name, value: unknown) {
        if (name !== "exitCode") return Reflect.set(target, name, value);
        end(Number(value ?? 0));
        return true;
      },
    });
    const itsRequire = (name: string): unknown =>
      /^(?:node:)?process$/.test(name) ? itsProcess : (requireOfBundle(name) as unknown);
    const module = { exports: {}, importModule: (url: string) => import(url) };
    const evaluate = script.runInThisContext() as (...args: unknown[]) => void;
    current = (error) => {
      err += `${error instanceof Error ? error.stack : String(error)}\n`;
      end(1);
    };
    evaluate(
      module.exports,
      Object.assign(itsRequire, { resolve: requireOfBundle.resolve }),
      module,
      bundle,
      dirname(bundle),
      itsProcess,
    );
  });
}

let current: (error: unknown) => void = () => undefined;
const onFailure = (error: unknown): void => {
  if (!(error instanceof Ended)) current(error);
};
process.on("uncaughtException", onFailure);
process.on("unhandledRejection", onFailure);
process.on("message", (request: WorkerRequest) => void run(request).then((ran) => process.send?.(ran)));
process.on("disconnect", () => process.exit());
