import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommittedBundle } from "@kindling/staging-client";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { ServerConfig } from "../../src/config/server-config.ts";
import { sample, type Sample } from "../../src/testing/random-bytes.ts";
import { httpCall, type Answer } from "./http-call.ts";
import { jsonCall } from "./test-server.ts";

/** Settings of a server whose tenants each have a token and a namespace: `good` and `evil`, and the administrator `root`. */
export async function tenantSettings(): Promise<Partial<ServerConfig>> {
  const folder = scratchFolder().path;
  const path = join(folder, "access.json");
  const subjects = ["good", "evil"].map((name) => ({ name, tokenSha256: sha256(tokenOf(name)), namespaces: [name] }));
  const root = { name: "root", tokenSha256: sha256(tokenOf("root")), namespaces: ["*"], admin: true };
  await writeFile(path, JSON.stringify({ subjects: [...subjects, root] }));
  return { "auth.mode": "token", "auth.accessFile": path, "store.path": join(folder, "data") };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function tokenOf(name: string): string {
  return `token-of-${name}`;
}

/** The actions of a tenant at a server. */
export interface Tenant {
  readonly namespace: string;
  readonly headers: { readonly authorization: string };
  readonly call: (method: string, path: string, document?: unknown) => Promise<Answer>;
  readonly openLease: () => Promise<string>;
  readonly put: (lease: string, file: Sample) => Promise<Answer>;
  readonly commit: (lease: string, files: readonly Sample[]) => Promise<Answer>;
  /** Uploads and commits one file of random bytes. */
  readonly stage: (size: number) => Promise<StagedFile>;
}

export interface StagedFile {
  readonly file: Sample;
  readonly path: string;
  readonly headers: { readonly authorization: string };
}

export function tenant({ uri }: { readonly uri: string }, namespace: string): Tenant {
  const headers = { authorization: `Bearer ${tokenOf(namespace)}` };
  const at = (path: string): string => new URL(`api/v1/${path}`, uri).href;
  const call: Tenant["call"] = (method, path, document) =>
    httpCall(at(path), document === undefined ? { method, headers } : { ...jsonCall(document, headers), method });
  const openLease = async (): Promise<string> => {
    const answer = await call("POST", "leases", { namespace });
    if (answer.status !== 201) throw new Error(`no lease: ${answer.status} ${answer.body.toString()}`);
    return (answer.json as { leaseId: string }).leaseId;
  };
  const put: Tenant["put"] = (lease, { digest, bytes }) =>
    httpCall(at(`blobs/${digest}?lease=${lease}`), { method: "PUT", headers, body: bytes });
  const commit: Tenant["commit"] = (lease, files) =>
    call("POST", "bundles", {
      lease,
      owner: { ownerNamespace: namespace, ownerLabels: { app: "a" }, ownerType: "Pod" },
      files: files.map(({ digest, bytes }, index) => {
        return { name: `file-${index}`, kind: "file", digest, size: bytes.length, mode: 0o644 };
      }),
    });
  return {
    namespace,
    headers,
    call,
    openLease,
    put,
    commit,
    async stage(size) {
      const [lease, file] = [await openLease(), sample(size)];
      await put(lease, file);
      const answer = await commit(lease, [file]);
      if (answer.status !== 201) throw new Error(`no bundle: ${answer.status} ${answer.body.toString()}`);
      const { bundleId, secret } = answer.json as CommittedBundle;
      const path = `/api/v1/bundles/${bundleId}/files/file-0`;
      return { file, path, headers: { authorization: `Bearer ${secret}` } };
    },
  };
}
