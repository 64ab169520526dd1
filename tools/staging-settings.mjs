// Writes the staging server's page of settings from those that it declares.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { configReference } from "../packages/staging-server/dist/index.js";

export const STAGING_SETTINGS_PAGE = new URL("../packages/staging-server/docs/settings.md", import.meta.url);

/** The page as it should be. */
export function stagingSettingsPage() {
  return configReference();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(STAGING_SETTINGS_PAGE, stagingSettingsPage());
}
