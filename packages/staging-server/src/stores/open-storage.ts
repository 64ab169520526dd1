import { randomUUID } from "node:crypto";
import type { Clock } from "@kindling/staging-client";
import type { DescriptorPlan } from "../budget/descriptor-plan.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { DocumentStore } from "../metadata/document-store.ts";
import { limitedDocuments } from "../metadata/limited-documents.ts";
import { localDocuments } from "../metadata/local-documents.ts";
import type { BlobStore } from "./blob-store.ts";
import { lockData } from "./local-disk/data-lock.ts";
import { openLayout } from "./local-disk/layout.ts";
import { localDiskStore } from "./local-disk/local-disk-store.ts";
import { openS3 } from "./s3/open-s3.ts";
import { openWebhdfs } from "./webhdfs/open-webhdfs.ts";
import type { StepHook } from "./local-disk/steps.ts";

/** Where a server keeps everything. */
export interface Storage {
  readonly store: BlobStore;
  readonly documents: DocumentStore;
  close(): Promise<void>;
}

export interface StorageOptions {
  readonly config: ServerConfig;
  readonly descriptors: DescriptorPlan;
  readonly clock: Clock;
  readonly random: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The data is no longer this server's. */
  readonly onLost: () => void;
  /** For crash tests; see `StepHook`. */
  readonly onStep?: StepHook;
}

/** @throws KindlingError if the storage cannot be used as configured */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  switch (options.config["store.kind"]) {
    case "local-disk":
      return await openLocalDisk(options);
    case "s3":
      return await openS3(options);
    case "webhdfs":
      return await openWebhdfs(options);
  }
}

async function openLocalDisk({ config, descriptors, clock, onLost, onStep }: StorageOptions): Promise<Storage> {
  const layout = await openLayout(config["store.path"]);
  const lock = await lockData(layout.root, { clock, onLost, nonce: randomUUID() });
  const hook = onStep === undefined ? {} : { onStep };
  const store = localDiskStore({
    layout,
    readBufferBytes: config["limits.readBuffer"],
    mostUnflushed: descriptors.unflushed,
    ...hook,
  });
  const documents = limitedDocuments(await localDocuments(layout.meta, onStep), descriptors.documents);
  return {
    store,
    documents,
    async close() {
      await store.close();
      await lock.release();
    },
  };
}
