import type { StoreDriver } from "../store-driver.ts";
import { ADLS_KEYS, type AdlsSettings } from "./adls-settings.ts";

/** A container of Azure Data Lake Storage Gen2 or Blob Storage. Any number of servers may share it. */
export const adlsDriver: StoreDriver<"adls", AdlsSettings> = {
  kind: "adls",
  doc: "a container of Azure Data Lake Storage Gen2 that any number of servers may share",
  keys: ADLS_KEYS,
  // A spool for each part on its way, and a connection for each, except the part that is being filled.
  perUpload: 6,
  check: (settings) => (settings["store.adls.uri"] === undefined ? "store.adls.uri" : undefined),
  async open(settings, context) {
    const { openAdls } = await import("./open-adls.ts");
    return await openAdls(settings, context);
  },
};
