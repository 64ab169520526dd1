import { KindlingError } from "@kindling/core-spec";
import { identityQuery, webHdfsClient, type Identity, type WebHdfsClient } from "@kindling/object-store/webhdfs";
import type { PlaceContext } from "../bucket-place.ts";
import { readNamed } from "../setting-values.ts";
import type { WebhdfsPlaceSettings } from "./webhdfs-settings.ts";

/** @throws KindlingError `CONF_INVALID` if an address cannot be used. HDFS itself is not asked. */
export function webhdfsPlace(
  settings: WebhdfsPlaceSettings,
  { transport, clock, random }: Pick<PlaceContext, "transport" | "clock" | "random">,
): WebHdfsClient {
  return webHdfsClient({
    services: settings["store.webhdfs.endpoints"].map(endpoint),
    dataNodes: settings["store.webhdfs.dataHosts"],
    identity: identityOf(settings),
    connection: { transport, clock, random, attempts: 6 },
  });
}

function endpoint(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new KindlingError("CONF_INVALID", `store.webhdfs.endpoints: ${JSON.stringify(text)} is no http or https URI`);
}

function identityOf(settings: WebhdfsPlaceSettings): () => Promise<Identity> {
  const { "store.webhdfs.user": user, "store.webhdfs.tokenFile": tokenFile } = settings;
  const { "store.webhdfs.basicAuthFile": basicFile } = settings;
  return async () => {
    const token = tokenFile === undefined ? undefined : await read("store.webhdfs.tokenFile", tokenFile);
    const basic = basicFile === undefined ? undefined : await read("store.webhdfs.basicAuthFile", basicFile);
    return {
      query: identityQuery(token, user),
      headers: basic === undefined ? {} : { authorization: `Basic ${Buffer.from(basic).toString("base64")}` },
    };
  };
}

async function read(key: string, path: string): Promise<string> {
  return (await readNamed(key, path)).trim();
}
