import type { RemoteSource } from "../remote-source.ts";

/** Files of the web. */
export const webSource: RemoteSource = {
  schemes: ["https", "http"],
  async open({ config, options, credentials, transport }) {
    const { httpFile } = await import("./http-file.ts");
    return (uri) => httpFile(uri, transport, credentials, config.redirectHosts, options.redactor);
  },
};
