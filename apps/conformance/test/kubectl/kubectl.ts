import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The result of a kubectl call. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** The kubectl to use: the one in `KINDLING_KUBECTL`, or the first on the path. */
export function findKubectl(): string | undefined {
  const named = process.env["KINDLING_KUBECTL"];
  if (named !== undefined && named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, "kubectl")).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Calls kubectl; both of its outputs are returned as one text, standard output first. */
export async function callKubectl(
  program: string,
  kubeconfig: string,
  args: readonly string[],
  input: string,
): Promise<Outcome> {
  const child = spawn(program, args, { env: { ...process.env, KUBECONFIG: kubeconfig, KUBECTL_EXTERNAL_DIFF: "" } });
  const texts = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const code = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve(status ?? 1));
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return { code: await code, output: (await texts).join("") };
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
