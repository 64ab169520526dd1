import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { tokenFile } from "../credentials/token-file.ts";
import { kubeError } from "../errors/kube-error.ts";
import type { BaseAccess } from "./base-access.ts";

export interface InClusterWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => Promise<string>;
  readonly clock: Clock;
  readonly serviceAccountDir: string;
}

/** The pod's own service account, as the kubelet mounts it; undefined outside of pods. */
export async function inClusterAccess(world: InClusterWorld): Promise<BaseAccess | undefined> {
  const host = world.env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = world.env["KUBERNETES_SERVICE_PORT"] ?? "";
  const path = join(world.serviceAccountDir, "token");
  if (host === "" || port === "") return undefined;
  if ((await readOptional(world, path)) === undefined) return undefined;
  const caPath = join(world.serviceAccountDir, "ca.crt");
  return {
    origin: "in-cluster",
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    serverSource: "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT",
    namespace: (await readOptional(world, join(world.serviceAccountDir, "namespace")))?.trim(),
    contextName: undefined,
    tls: { ca: await readOptional(world, caPath), servername: undefined, insecureSkipVerify: false },
    proxyUrl: undefined,
    credentials: tokenFile(path, world.readFile, world.clock, "the pod's service account"),
  };
}

async function readOptional(world: InClusterWorld, path: string): Promise<string | undefined> {
  try {
    return await world.readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw kubeError({ kind: "config", file: path }, `${path} cannot be read (${code ?? String(error)})`, {
      cause: error,
    });
  }
}
