import {
  connectStaging,
  digestOf,
  submitResources,
  uploadBundle,
  type BundleFile,
  type StagedResourcesOwner,
} from "@kindling/staging-client";
import type { StagingCommand } from "@kindling/test-kit/staging-command";
import { gzipSync } from "node:zlib";
import { Readable } from "node:stream";
import type { BundleConfig } from "../../src/config/index.ts";
import { scratchFolder, type ScratchFolder } from "./scratch-folder.ts";
import { tarBytes } from "./tar-bytes.ts";

export interface StagedBundle {
  readonly config: BundleConfig;
  readonly secret: string;
  readonly files: ReadonlyMap<string, BundleFile>;
  /** The digest of the manifest. */
  readonly manifestDigest: string;
}

const OWNER: StagedResourcesOwner = {
  ownerNamespace: "default",
  ownerLabels: { "spark-app-selector": "spark-1" },
  ownerType: "Pod",
};

/** Uploads files by name to a staging server, and keeps their secret in the pod's folder. */
export async function stage(
  server: StagingCommand,
  pod: ScratchFolder,
  contents: Readonly<Record<string, string | Buffer>>,
  ca?: string,
): Promise<StagedBundle> {
  const local = scratchFolder();
  const files = Object.entries(contents).map(([name, content], index) => {
    return { name, kind: "file", path: local.write(String(index), content) };
  });
  const client = connectStaging({ uri: server.uri, ...(ca !== undefined && { tls: { ca } }) });
  const { bundleId, secret, manifestDigest, files: staged } = await uploadBundle(client, { owner: OWNER, files });
  client.close();
  return {
    config: { server: server.uri, id: bundleId, secretFile: pod.write("secrets/v1", secret) },
    secret,
    files: new Map(staged.map((file) => [file.name, file])),
    manifestDigest,
  };
}

/** Uploads a bundle in the old fork's protocol. */
export async function stageV0(
  server: StagingCommand,
  pod: ScratchFolder,
  contents: Readonly<Record<string, string>>,
): Promise<BundleConfig> {
  const archive = gzipSync(tarBytes(Object.entries(contents).map(([name, content]) => ({ name, content }))));
  const client = connectStaging({ uri: server.uri });
  const { resourceId, resourceSecret } = await submitResources(client.connection, {
    owner: OWNER,
    resources: { length: archive.length, open: () => Readable.from([archive]) },
  });
  client.close();
  const secretFile = pod.write(`secrets/v0-${digestOf(archive).slice(-8)}`, resourceSecret);
  return { server: server.uri, id: resourceId, secretFile, protocol: "v0" };
}
