import { KindlingError, type SparkConf } from "@kindling/core-spec";
import { isObjectStoreError } from "@kindling/object-store";
import {
  azureBucket,
  azureCredentials,
  azureLocation,
  azureSecret,
  azureSources,
  type AzureLocation,
  type AzureSource,
} from "@kindling/object-store/azure";
import type { Env } from "@kindling/outside";
import { readIfThere, type UploadTarget } from "../bucket/upload-files.ts";
import type { UploadOutside } from "../upload-outside.ts";

type Property = (name: string) => string | undefined;

/**
 * Azure Data Lake Storage Gen2 and Blob Storage, as `abfss://container@account.dfs.core.windows.net/key`. The keys are those
 * of Hadoop's ABFS connector, each also for one account (`fs.azure.account.key.ACCOUNT.dfs.core.windows.net`): an account's
 * key, a fixed signature, a client's id, secret and endpoint; otherwise the credentials are those of Azure's own tools.
 */
export function azureTarget(conf: SparkConf, { clock, random, env }: UploadOutside): UploadTarget {
  return {
    place(uri) {
      const { account, container, path } = locationOf(uri, undefined);
      if (path !== "") return { bucket: `${account}/${container}`, key: path };
      throw new KindlingError("CONF_INVALID", `${uri} names no file`);
    },
    open(uri, transport) {
      const host = /@([^/]+)/.exec(uri)?.[1] ?? "";
      const property: Property = (name) =>
        conf.raw(`spark.hadoop.fs.azure.${name}.${host}`) || conf.raw(`spark.hadoop.fs.azure.${name}`) || undefined;
      const location = locationOf(uri, env["AZURE_STORAGE_BLOB_ENDPOINT"] || undefined);
      const credentials = azureCredentials(
        [configured(property), ...azureSources()],
        { clock, env: { ...env, ...clientOf(property) }, transport, readFile: readIfThere },
        `set AZURE_STORAGE_KEY, or AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, or ` +
          `spark.hadoop.fs.azure.account.key.${host} in a properties file`,
      );
      return azureBucket({ ...location, credentials, connection: { clock, random, transport } });
    },
    hints: { unreachable: "check the account's name, and that its network lets this machine in" },
  };
}

function locationOf(uri: string, endpoint: string | undefined): AzureLocation & { readonly path: string } {
  try {
    return azureLocation(uri, endpoint);
  } catch (error) {
    if (!isObjectStoreError(error)) throw error;
    throw new KindlingError("CONF_INVALID", error.message, {
      cause: error,
      hint: "write abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX in spark.kubernetes.file.upload.path",
    });
  }
}

function configured(property: Property): AzureSource {
  return {
    name: "spark.hadoop.fs.azure.account.key",
    lend() {
      const keys = azureSecret(
        "spark.hadoop.fs.azure.account.key",
        property("account.key"),
        property("sas.fixed.token"),
      );
      return Promise.resolve(keys && { keys, seconds: undefined });
    },
  };
}

/** The client of the connector's `ClientCredsTokenProvider`, as variables of Azure's own tools. */
function clientOf(property: Property): Env {
  const endpoint = property("account.oauth2.client.endpoint") ?? "";
  const [, authority, tenant] = /^(https:\/\/[^/]+\/)([^/]+)\/oauth2\//.exec(endpoint) ?? [];
  const [client, secret] = [property("account.oauth2.client.id"), property("account.oauth2.client.secret")];
  if (authority === undefined || tenant === undefined || client === undefined || secret === undefined) return {};
  return {
    AZURE_AUTHORITY_HOST: authority,
    AZURE_TENANT_ID: tenant,
    AZURE_CLIENT_ID: client,
    AZURE_CLIENT_SECRET: secret,
  };
}
