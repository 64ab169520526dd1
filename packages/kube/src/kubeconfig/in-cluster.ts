import { join } from "node:path";
import type { Outside } from "@kindling/outside";
import { tokenFile } from "../credentials/token-file.ts";
import { kubeError } from "../errors/kube-error.ts";
import type { BaseAccess } from "./base-access.ts";
import type { FilesOutside } from "../files-outside.ts";

type Given = Pick<Outside, "env" | "clock"> & Pick<FilesOutside, "readFile" | "serviceAccountDir">;

/** The pod's own service account, as the kubelet mounts it; undefined outside of pods. */
export async function inClusterAccess(outside: Given): Promise<BaseAccess | undefined> {
  const host = outside.env["KUBERNETES_SERVICE_HOST"] ?? "";
  const port = outside.env["KUBERNETES_SERVICE_PORT"] ?? "";
  const path = join(outside.serviceAccountDir, "token");
  if (host === "" || port === "") return undefined;
  if ((await readOptional(outside, path)) === undefined) return undefined;
  const caPath = join(outside.serviceAccountDir, "ca.crt");
  return {
    origin: "in-cluster",
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    serverSource: "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT",
    namespace: (await readOptional(outside, join(outside.serviceAccountDir, "namespace")))?.trim(),
    contextName: undefined,
    tls: { ca: await readOptional(outside, caPath), servername: undefined, insecureSkipVerify: false },
    proxyUrl: undefined,
    credentials: tokenFile(path, outside.readFile, outside.clock, "the pod's service account"),
  };
}

async function readOptional(outside: Given, path: string): Promise<string | undefined> {
  try {
    return await outside.readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw kubeError({ kind: "config", file: path }, `${path} cannot be read (${code ?? String(error)})`, {
      cause: error,
    });
  }
}
