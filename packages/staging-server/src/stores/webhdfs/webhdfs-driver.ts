import type { StoreDriver } from "../store-driver.ts";
import { WEBHDFS_KEYS, type WebhdfsSettings } from "./webhdfs-settings.ts";

/** A folder of HDFS, by WebHDFS or HttpFS. Any number of servers may share it. */
export const webhdfsDriver: StoreDriver<"webhdfs", WebhdfsSettings> = {
  kind: "webhdfs",
  doc: "a folder of HDFS that any number of servers may share",
  keys: WEBHDFS_KEYS,
  perUpload: 2,
  check: (settings) => (settings["store.webhdfs.endpoints"].length === 0 ? "store.webhdfs.endpoints" : undefined),
  async open(settings, context) {
    const { openWebhdfs } = await import("./open-webhdfs.ts");
    return await openWebhdfs(settings, context);
  },
};
