import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "tsup";
import { library } from "../../tsup.base.ts";

const modules = readdirSync("src")
  .filter((file) => file.endsWith(".ts"))
  .map((file) => [basename(file, ".ts"), `src/${file}`] as const);

export default defineConfig({ ...library(Object.fromEntries(modules)), splitting: false });
