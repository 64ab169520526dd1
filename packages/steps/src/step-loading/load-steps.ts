import { pathToFileURL } from "node:url";
import { KindlingError, messageOf, type Step } from "@kindling/core-spec";
import { resolveModule } from "./resolve-module.ts";

/**
 * Loads steps from outside: files, or npm packages that are looked for from a folder. A module exports a step or a list of
 * steps as its default. The loaded code runs with all the rights of the process.
 *
 * @param names of packages, or paths
 * @param origin what names them, for errors: a flag or a setting
 * @throws KindlingError `STEP_NOT_FOUND` or `STEP_INVALID`
 */
export async function loadSteps(names: readonly string[], cwd: string, origin: string): Promise<Step[]> {
  const steps: Step[] = [];
  for (const name of names) {
    const exported = await load(name, cwd, origin);
    for (const step of Array.isArray(exported) ? exported : [exported]) {
      if (!isStep(step)) {
        throw new KindlingError("STEP_INVALID", `${origin} ${name}: its default export is no step`, {
          hint: "export default { name, configureDriver(spec, submission) { … } }",
        });
      }
      steps.push(step);
    }
  }
  return steps;
}

async function load(name: string, cwd: string, origin: string): Promise<unknown> {
  let path: string;
  try {
    // Resolved from the user's directory, so that a globally installed command finds the project's packages.
    path = resolveModule(name, cwd);
  } catch (error) {
    throw new KindlingError("STEP_NOT_FOUND", `${origin} ${name}: there is no such module`, {
      hint: isPath(name) ? "check the path" : `npm install ${name}, or give a path such as ./my-step.js`,
      cause: error,
    });
  }
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return isRecord(module) ? defaultOf(module) : undefined;
  } catch (error) {
    throw new KindlingError("STEP_INVALID", `${origin} ${name}: ${path} cannot be loaded: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** A CommonJS module's exports come as a default, which may itself have a default. */
function defaultOf(module: Readonly<Record<string, unknown>>): unknown {
  const outer = module["default"];
  return isRecord(outer) && !isStep(outer) && "default" in outer ? outer["default"] : outer;
}

function isPath(name: string): boolean {
  return name.startsWith(".") || name.startsWith("/");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isStep(value: unknown): value is Step {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    /^[a-z0-9][a-z0-9-]*$/.test(value["name"]) &&
    (typeof value["configureDriver"] === "function" || typeof value["configureExecutor"] === "function")
  );
}
