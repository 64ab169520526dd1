import type { CommittedBundle, StagedResourcesOwner } from "@kindling/staging-client";
import { sample, type Sample } from "../../src/testing/random-bytes.ts";
import { jsonCall, openLease, TEST_OWNER, type TestServer } from "./test-server.ts";

export { MIB, sample, type Sample } from "../../src/testing/random-bytes.ts";

export async function putBlob(server: TestServer, lease: string, { digest, bytes }: Sample): Promise<number> {
  const answer = await server.call(`api/v1/blobs/${digest}?lease=${lease}`, { method: "PUT", body: bytes });
  return answer.status;
}

export interface StagedBundle extends CommittedBundle {
  readonly files: Readonly<Record<string, Sample>>;
  /** The `Authorization` header with its secret. */
  readonly headers: Record<string, string>;
}

/** Uploads and commits files of random bytes, by name and size. */
export async function stage(
  server: TestServer,
  sizes: Readonly<Record<string, number>>,
  owner: StagedResourcesOwner = TEST_OWNER,
): Promise<StagedBundle> {
  const lease = await openLease(server, owner.ownerNamespace);
  const files: Record<string, Sample> = {};
  for (const [name, size] of Object.entries(sizes)) {
    const one = sample(size);
    files[name] = one;
    await putBlob(server, lease, one);
  }
  const answer = await server.call("api/v1/bundles", jsonCall({ lease, owner, files: manifestOf(files) }));
  if (answer.status !== 201) throw new Error(`no bundle: ${answer.status} ${answer.body.toString()}`);
  const bundle = answer.json as CommittedBundle;
  return { ...bundle, files, headers: { authorization: `Bearer ${bundle.secret}` } };
}

export function manifestOf(files: Readonly<Record<string, Sample>>): object[] {
  return Object.entries(files).map(([name, { digest, bytes }]) => {
    return { name, kind: "file", digest, size: bytes.length, mode: 0o644 };
  });
}
