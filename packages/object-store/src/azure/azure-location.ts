import { ObjectStoreError } from "../object-store-error.ts";

/** A container of an account, and the address of its Blob service. */
export interface AzureLocation {
  readonly account: string;
  readonly container: string;
  /** Without a slash at its end. */
  readonly endpoint: URL;
  /** The account's Data Lake service, which alone deletes directories; `undefined` if its address is unknown. */
  readonly dataLake: URL | undefined;
}

/**
 * Parses `abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH` (Hadoop, "ABFS: URI syntax"), and the older `abfs:`,
 * `wasbs:` and `wasb:`. The address of the Blob service follows from it, also in sovereign clouds: both services show the
 * same objects, with or without a hierarchical namespace ("Multi-protocol access on Azure Data Lake Storage").
 *
 * @param endpoint the Blob service's own address, as an emulator or a private link has it
 * @throws ObjectStoreError `settings`
 */
export function azureLocation(uri: string, endpoint?: string): AzureLocation & { readonly path: string } {
  const [, container, account, suffix, path = ""] =
    /^(?:abfss?|wasbs?):\/\/([^@/]+)@([a-z0-9-]+)\.(?:dfs|blob)\.([a-z0-9.-]+)(?:\/+(.*))?$/i.exec(uri) ?? [];
  if (container === undefined || account === undefined || suffix === undefined) {
    throw new ObjectStoreError("settings", `${uri} names no container`, {
      hint: "write abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/PATH",
    });
  }
  const url = endpoint ?? `https://${account}.blob.${suffix}`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ObjectStoreError("settings", "the endpoint of Azure Storage is no http or https URL");
  }
  const dataLake = endpoint === undefined ? new URL(`https://${account}.dfs.${suffix}`) : undefined;
  return { account, container, endpoint: new URL(url.replace(/\/+$/, "")), dataLake, path };
}
