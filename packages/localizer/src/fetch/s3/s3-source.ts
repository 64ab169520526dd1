import type { RemoteSource } from "../remote-source.ts";

/** Objects of S3-compatible stores. */
export const s3Source: RemoteSource = {
  schemes: ["s3", "s3a"],
  async open(context) {
    const { s3Files } = await import("./s3-files.ts");
    return s3Files(context);
  },
};
