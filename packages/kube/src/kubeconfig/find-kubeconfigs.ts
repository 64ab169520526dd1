import { delimiter, join } from "node:path";
import { kubeError } from "../errors/kube-error.ts";
import { mergeKubeconfigs, parseKubeconfig, type Kubeconfig } from "./parse-kubeconfig.ts";

export interface KubeconfigPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly readFile: (path: string) => Promise<string>;
  /** One file that must exist. */
  readonly kubeconfigPath: string | undefined;
}

/**
 * Reads the kubeconfig files that kubectl would: the given one, else those of `KUBECONFIG` that exist, else `~/.kube/config`.
 * Undefined if all of them are empty (`KUBECONFIG=/dev/null`).
 */
export async function findKubeconfigs(places: KubeconfigPlaces): Promise<Kubeconfig | undefined> {
  const configs = await Promise.all(pathsOf(places).map((path) => readKubeconfig(path, places)));
  const found = configs.filter((config) => config !== undefined);
  return found.length === 0 ? undefined : mergeKubeconfigs(found);
}

/** The files in which to look, in order of precedence. */
export function pathsOf(places: Omit<KubeconfigPlaces, "readFile">): string[] {
  if (places.kubeconfigPath !== undefined) return [places.kubeconfigPath];
  const list = places.env["KUBECONFIG"] ?? "";
  if (list === "") return [join(places.homeDir, ".kube", "config")];
  return [...new Set(list.split(delimiter).filter((path) => path !== ""))];
}

async function readKubeconfig(path: string, places: KubeconfigPlaces): Promise<Kubeconfig | undefined> {
  let text: string;
  try {
    text = await places.readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    if (isMissing && places.kubeconfigPath === undefined) return undefined;
    const fault = isMissing ? "there is no such file" : `it cannot be read (${code ?? String(error)})`;
    throw kubeError({ kind: "config", file: path }, `kubeconfig ${path}: ${fault}`, { cause: error });
  }
  return parseKubeconfig(text, path);
}
