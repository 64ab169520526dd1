import { text, type Setting } from "@kindling/service/settings";

/** Where a container of Azure is. */
export interface AdlsPlaceSettings {
  readonly "store.adls.uri": string | undefined;
  readonly "store.adls.endpoint": string | undefined;
  readonly "store.adls.credentialsFile": string | undefined;
}

export const ADLS_PLACE_KEYS: { readonly [Key in keyof AdlsPlaceSettings]: Setting<AdlsPlaceSettings[Key]> } = {
  "store.adls.uri": {
    type: text,
    default: undefined,
    doc:
      "Container of Azure Data Lake Storage Gen2 or Blob Storage and folder in it, as " +
      "`abfss://container@account.dfs.core.windows.net/path`; the container must exist.",
  },
  "store.adls.endpoint": {
    type: text,
    default: undefined,
    doc: "URI of the account's Blob service, if it is another one, such as an emulator; unset: by the account's name.",
  },
  "store.adls.credentialsFile": {
    type: text,
    default: undefined,
    doc:
      "Properties file with `accountKey` or `sasToken`. It is read again when it changes. Unset: the same credentials as " +
      "Azure's own tools, which are `AZURE_STORAGE_KEY` or `AZURE_STORAGE_SAS_TOKEN`, a client secret " +
      "(`AZURE_CLIENT_SECRET`), a workload identity (`AZURE_FEDERATED_TOKEN_FILE`), or the machine's managed identity.",
  },
};
