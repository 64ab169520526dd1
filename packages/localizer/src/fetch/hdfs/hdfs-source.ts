import type { RemoteSource } from "../remote-source.ts";

/** Files of HDFS, by WebHDFS or HttpFS. */
export const hdfsSource: RemoteSource = {
  schemes: ["hdfs", "webhdfs", "swebhdfs"],
  async open(context) {
    const { hdfsFiles } = await import("./hdfs-files.ts");
    return hdfsFiles(context);
  },
};
