import { KindlingError, parseProperties } from "@kindling/core-spec";
import {
  azureBucket,
  azureCredentials,
  azureLocation,
  azureSecret,
  azureSources,
  type AzureSource,
} from "@kindling/object-store/azure";
import type { BucketPlace, PlaceContext } from "../bucket-place.ts";
import { fromSetting, readIfThere } from "../setting-values.ts";
import type { AdlsPlaceSettings } from "./adls-settings.ts";

// A file that an operator or a sidecar replaces is read again within a minute.
const FILE_SECONDS = 120;

/** @throws KindlingError `CONF_INVALID` if the address cannot be used. The container itself is not asked. */
export function adlsPlace(settings: AdlsPlaceSettings, { clock, random, env, transport }: PlaceContext): BucketPlace {
  const location = fromSetting("store.adls.uri", () =>
    azureLocation(settings["store.adls.uri"] ?? "", settings["store.adls.endpoint"]),
  );
  const file = settings["store.adls.credentialsFile"];
  const credentials = azureCredentials(
    file === undefined ? azureSources() : [fileSecret(file)],
    { clock, env, transport, readFile: readIfThere },
    "set store.adls.credentialsFile or AZURE_STORAGE_KEY, or give the pod's account a workload identity",
  );
  return {
    bucket: azureBucket({ ...location, credentials, connection: { transport, clock, random } }),
    prefix: location.path,
    hint: "check store.adls.uri, and that the identity has the role Storage Blob Data Contributor",
  };
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
