import { KindlingError, parseProperties } from "@kindling/core-spec";
import {
  azureBucket,
  azureCredentials,
  azureLocation,
  azureSecret,
  azureSources,
  type AzureSource,
} from "@kindling/object-store/azure";
import { bucketTransport, fromSetting, openBucket, readIfThere } from "../bucket/open-bucket.ts";
import type { Storage, StoreContext } from "../store-driver.ts";
import type { AdlsSettings } from "./adls-settings.ts";

// A file that an operator or a sidecar replaces is read again within a minute.
const FILE_SECONDS = 120;

/** @throws KindlingError if the container cannot be used as configured */
export async function openAdls(settings: AdlsSettings, context: StoreContext): Promise<Storage> {
  const { clock, random, env } = context;
  const location = fromSetting("store.adls.uri", () =>
    azureLocation(settings["store.adls.uri"] ?? "", settings["store.adls.endpoint"]),
  );
  const transport = bucketTransport(context);
  const file = settings["store.adls.credentialsFile"];
  const credentials = azureCredentials(
    file === undefined ? azureSources() : [fileSecret(file)],
    { clock, env, transport, readFile: readIfThere },
    "set store.adls.credentialsFile or AZURE_STORAGE_KEY, or give the pod's account a workload identity",
  );
  return await openBucket(
    {
      kind: "adls",
      bucket: azureBucket({ ...location, credentials, connection: { transport, clock, random } }),
      transport,
      prefix: location.path,
      partSize: settings["store.adls.partSize"],
      spoolPath: settings["store.adls.spoolPath"],
      recordPauseMs: 0,
      hint: "check store.adls.uri, and that the identity has the role Storage Blob Data Contributor",
    },
    context,
  );
}

function fileSecret(path: string): AzureSource {
  const setting = "store.adls.credentialsFile";
  return {
    name: setting,
    async lend() {
      const text = await readIfThere(path);
      if (text === undefined) throw new KindlingError("FILE_UNREADABLE", `${setting}: ${path} does not exist`);
      const { accountKey, sasToken } = parseProperties(text);
      const keys = azureSecret(`${setting}: ${path}`, accountKey, sasToken);
      if (keys === undefined) throw new KindlingError("FILE_UNPARSABLE", `${path} has no accountKey and no sasToken`);
      return { keys, seconds: FILE_SECONDS };
    },
  };
}
