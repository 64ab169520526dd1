import { KindlingError } from "@kindling/core-spec";
import {
  gcsBucket,
  GOOGLE_ENDPOINT,
  googleCredentials,
  googleFile,
  googleSources,
  type GcsLocation,
} from "@kindling/object-store/gcs";
import type { BucketPlace, PlaceContext } from "../bucket-place.ts";
import { readIfThere } from "../setting-values.ts";
import type { GcsPlaceSettings } from "./gcs-settings.ts";

// "Quotas & limits": an object takes one write a second. More are refused for a while, so they are tried more often.
const RETRIES = { attempts: 8, backoff: { baseMs: 500, capMs: 8_000 } };

/** @throws KindlingError `CONF_INVALID` if the address cannot be used. The bucket itself is not asked. */
export function gcsPlace(settings: GcsPlaceSettings, { clock, random, env, transport }: PlaceContext): BucketPlace {
  const location = locationOf(settings);
  const file = settings["store.gcs.credentialsFile"];
  const sources = file === undefined ? googleSources() : [googleFile("store.gcs.credentialsFile", file)];
  const credentials = googleCredentials(
    sources,
    { clock, env, transport, readFile: readIfThere },
    "set store.gcs.credentialsFile or GOOGLE_APPLICATION_CREDENTIALS, or give the pod's account a workload identity",
  );
  return {
    bucket: gcsBucket({
      ...location,
      credentials: location.endpoint.protocol === "http:" ? undefined : credentials,
      connection: { transport, clock, random, ...RETRIES },
    }),
    prefix: location.prefix,
    hint: "check store.gcs.uri and the credentials, which need the role roles/storage.objectUser on the bucket",
  };
}

function locationOf(settings: GcsPlaceSettings): GcsLocation & { readonly prefix: string } {
  const uri = settings["store.gcs.uri"] ?? "";
  const [, bucket, prefix = ""] = /^gs:\/\/([a-z0-9][a-z0-9._-]+)(?:\/+(.*))?$/.exec(uri) ?? [];
  if (bucket === undefined) {
    throw new KindlingError("CONF_INVALID", `store.gcs.uri: ${JSON.stringify(uri)} names no bucket`, {
      hint: "write gs://BUCKET/PREFIX",
    });
  }
  const endpoint = settings["store.gcs.endpoint"] ?? GOOGLE_ENDPOINT;
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new KindlingError("CONF_INVALID", "store.gcs.endpoint is no http or https URI");
  }
  return { bucket, prefix, endpoint: new URL(endpoint) };
}
