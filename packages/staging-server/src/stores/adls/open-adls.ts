import { adlsPlace } from "@kindling/stores/adls";
import { bucketTransport, openBucket, PROGRAM } from "../bucket/open-bucket.ts";
import type { Storage, StoreContext } from "../store-driver.ts";
import type { AdlsSettings } from "./adls-settings.ts";

/** @throws KindlingError if the container cannot be used as configured */
export async function openAdls(settings: AdlsSettings, context: StoreContext): Promise<Storage> {
  const transport = bucketTransport(context);
  return await openBucket(
    {
      ...adlsPlace(settings, { ...context, transport, program: PROGRAM }),
      kind: "adls",
      transport,
      partSize: settings["store.adls.partSize"],
      spoolPath: settings["store.adls.spoolPath"],
      recordPauseMs: 0,
    },
    context,
  );
}
