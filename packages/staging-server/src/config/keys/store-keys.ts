import { confType } from "@kindling/core-spec";
import { seconds, sizeBytes, type Settings } from "@kindling/service/settings";
import {
  STORE_KEYS as OF_STORES,
  STORE_KINDS,
  type StoreKind,
  type StoreSettings,
  STORES_DOC,
} from "../../stores/stores.ts";

const { oneOf } = confType;

/** Where files are kept. Each store declares its own settings. */
export interface StoreConfig extends StoreSettings {
  readonly "store.kind": StoreKind;

  readonly "scrub.interval": number;
  readonly "scrub.rate": number;
}

export const STORE_KEYS: Settings<StoreConfig> = {
  "store.kind": {
    type: oneOf(...STORE_KINDS),
    default: "local-disk",
    doc: `Where files are kept: ${STORES_DOC}.`,
  },
  ...OF_STORES,

  "scrub.interval": {
    type: seconds,
    default: "7d",
    doc:
      "How often every file of `local-disk` is read again, to find files that the disk has damaged; 0: never. Shared " +
      "stores do that themselves.",
  },
  "scrub.rate": {
    type: confType.checked(sizeBytes, (value) => value > 0, "a size above 0"),
    default: "16m",
    doc: "How many bytes a second are read for this at most; a quarter of it while files are being sent or fetched.",
  },
};
