import type { StoreDriver } from "../store-driver.ts";
import { LOCAL_DISK_KEYS, type LocalDiskSettings } from "./local-disk-settings.ts";

/** A folder of this machine, or of a volume that is attached to it. One server at a time can use it. */
export const localDiskDriver: StoreDriver<"local-disk", LocalDiskSettings> = {
  kind: "local-disk",
  doc: "a folder for one server at a time",
  keys: LOCAL_DISK_KEYS,
  perUpload: 1,
  check: () => undefined,
  async open(settings, context) {
    const { openLocalDisk } = await import("./open-local-disk.ts");
    return await openLocalDisk(settings, context);
  },
};
