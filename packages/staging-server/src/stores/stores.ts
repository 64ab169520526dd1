import type { Settings } from "@kindling/service/settings";
import { adlsDriver } from "./adls/adls-driver.ts";
import type { AdlsSettings } from "./adls/adls-settings.ts";
import { gcsDriver } from "./gcs/gcs-driver.ts";
import type { GcsSettings } from "./gcs/gcs-settings.ts";
import { localDiskDriver } from "./local-disk/local-disk-driver.ts";
import type { LocalDiskSettings } from "./local-disk/local-disk-settings.ts";
import { s3Driver } from "./s3/s3-driver.ts";
import type { S3Settings } from "./s3/s3-settings.ts";
import type { Storage, StoreContext } from "./store-driver.ts";
import { webhdfsDriver } from "./webhdfs/webhdfs-driver.ts";
import type { WebhdfsSettings } from "./webhdfs/webhdfs-settings.ts";

// All stores. A new one is a folder, and a line in each of these three.
export interface StoreSettings extends LocalDiskSettings, S3Settings, GcsSettings, AdlsSettings, WebhdfsSettings {}
type Store = typeof localDiskDriver | typeof s3Driver | typeof gcsDriver | typeof adlsDriver | typeof webhdfsDriver;
const STORES: readonly Store[] = [localDiskDriver, s3Driver, gcsDriver, adlsDriver, webhdfsDriver];

export type StoreKind = Store["kind"];
export const STORE_KINDS: readonly StoreKind[] = STORES.map(({ kind }) => kind);
/** What each store is, for the reference of settings. */
export const STORES_DOC: string = STORES.map(({ kind, doc }) => `\`${kind}\` (${doc})`).join(", ");

/** The settings of all stores. */
export const STORE_KEYS: Settings<StoreSettings> = Object.assign({}, ...STORES.map(({ keys }) => keys));

/** Names a setting that a store needs and that is missing. */
export function missingSetting(kind: StoreKind, settings: StoreSettings): keyof StoreSettings | undefined {
  return storeOf(kind).check(settings);
}

/** Descriptors of one upload besides its socket. */
export function descriptorsPerUpload(kind: StoreKind): number {
  return storeOf(kind).perUpload;
}

/** @throws KindlingError if the storage cannot be used as configured */
export async function openStorage(kind: StoreKind, settings: StoreSettings, context: StoreContext): Promise<Storage> {
  return await storeOf(kind).open(settings, context);
}

function storeOf(kind: StoreKind): Store {
  const store = STORES.find((each) => each.kind === kind);
  if (store === undefined) throw new Error(`there is no store ${kind}`);
  return store;
}
