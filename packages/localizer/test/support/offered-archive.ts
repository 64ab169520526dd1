import type { LimitsConfig } from "../../src/config/index.ts";
import type { Finished, Pod, PodConfig, RunOptions } from "./localizer-process.ts";
import { sendFile, webServer } from "./web-server.ts";

/** A configuration that fetches bytes from the web, as an archive for the directory `env`. */
export async function offered(
  { volume }: Pod,
  archive: Buffer,
  limits: LimitsConfig = {},
): Promise<PodConfig & { readonly limits: LimitsConfig }> {
  const web = await webServer((request, response) => sendFile(request, response, { bytes: archive }));
  return { files: [{ from: { uri: `${web.uri}/env` }, to: `${volume}/env`, unpack: true }], limits };
}

export async function unpack(
  setting: Pod,
  archive: Buffer,
  limits: LimitsConfig = {},
  options: RunOptions = {},
): Promise<Finished> {
  return await setting.run(await offered(setting, archive, limits), options);
}
