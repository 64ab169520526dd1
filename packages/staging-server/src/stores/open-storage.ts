import type { Clock, Env, Random } from "@kindling/outside";
import type { DescriptorPlan } from "../budget/descriptor-plan.ts";
import type { DamageListener } from "../damage.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { DocumentStore } from "../metadata/document-store.ts";
import { limitedDocuments } from "../metadata/limited-documents.ts";
import { localDocuments } from "../metadata/local-documents.ts";
import type { BlobStore } from "./blob-store.ts";
import { lockData } from "./local-disk/data-lock.ts";
import { makeDataFolder, openLayout, usable } from "./local-disk/layout.ts";
import { localDiskStore } from "./local-disk/local-disk-store.ts";
import { openS3 } from "./s3/open-s3.ts";
import { spaceReserve } from "./local-disk/space-reserve.ts";
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
  readonly random: Random;
  readonly env: Env;
  /** The data is no longer this server's. */
  readonly onLost: () => void;
  /** Told of stored documents and files that are not what was stored. */
  readonly onDamage: DamageListener;
  /** For crash tests; see `StepHook`. */
  readonly onStep?: StepHook;
}

/** @throws KindlingError if the storage cannot be used as configured */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  switch (options.config["store.kind"]) {
    case "local-disk":
      return await openLocalDisk(options);
    case "s3":
      return await openS3({ ...options, random: options.random.fraction });
    case "webhdfs":
      return await openWebhdfs({ ...options, random: options.random.fraction });
  }
}

async function openLocalDisk({
  config,
  descriptors,
  clock,
  random,
  onLost,
  onDamage,
  onStep,
}: StorageOptions): Promise<Storage> {
  const root = config["store.path"];
  await makeDataFolder(root);
  // First of all: whatever is made or mended below, one server makes and mends.
  const lock = await usable(root, () => lockData(root, { clock, onLost, nonce: random.uuid() }));
  try {
    const layout = await openLayout(root, { clock, onDamage, mostBytes: config["store.damagedBytes"] });
    const reserve = spaceReserve(layout.reserve);
    await reserve.refill();
    const { folders, damaged } = layout;
    const confirm = (): Promise<void> => lock.confirm();
    const hook = onStep === undefined ? {} : { onStep };
    const local = await usable(root, () =>
      localDocuments(layout.meta, { folders, damaged, reserve, confirm, ...hook }),
    );
    const documents = limitedDocuments(local, descriptors.documents);
    const store = localDiskStore({
      layout,
      clock,
      reserve,
      confirm,
      readBufferBytes: config["limits.readBuffer"],
      mostUnflushed: descriptors.unflushed,
      ...hook,
    });
    return {
      store,
      documents,
      async close() {
        await store.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
